import Foundation
import Steno
import StenoCore
import StenoVoiceActivity
import StenoWhisper

/// Options as a C program gives them: a JSON object, or NULL for the defaults.
struct OptionsText {
    private let data: Data
    private let fields: [String: Any]

    /// - Throws: `StenoError.invalidOption` if it is not a JSON object.
    init(_ text: UnsafePointer<CChar>?) throws {
        data = Data((text.map { String(cString: $0) } ?? "{}").utf8)
        guard let object = try? JSONSerialization.jsonObject(with: data), let fields = object as? [String: Any] else {
            throw StenoError(
                .invalidOption, "The options are not a JSON object. Use a form such as {\"language\": \"en\"}.")
        }
        self.fields = fields
    }

    /// The options of a transcription, with those of Whisper in `whisper`.
    func transcription() throws -> TranscriptionOptions {
        let own = fields["whisper"] as? [String: Any] ?? [:]
        try check(fields, TranscriptionOptions.fields.names + ["whisper"])
        try check(own, WhisperOptions.fields.names)
        try check(own["voiceActivity"] as? [String: Any] ?? [:], VoiceActivityOptions.fields.names)
        try check(own["guards"] as? [String: Any] ?? [:], GuardOptions.fields.names)
        var options = try decode(TranscriptionOptions.self)
        if let whisper = try decode(Parts.self).whisper { options.whisper = whisper }
        return options
    }

    func live() throws -> LiveOptions {
        try check(fields, LiveOptions.fields.names)
        try check(fields["guards"] as? [String: Any] ?? [:], GuardOptions.fields.names)
        return try decode(LiveOptions.self)
    }

    func voiceActivity() throws -> VoiceActivityOptions {
        try check(fields, VoiceActivityOptions.fields.names)
        return try decode(VoiceActivityOptions.self)
    }

    func loading() throws -> Loading {
        try check(fields, ["precision", "threads", "maximumConcurrentCalls"])
        return try decode(Loading.self)
    }

    struct Loading: Decodable {
        var precision: String?
        var threads: Int?
        var maximumConcurrentCalls: Int?
    }

    private struct Parts: Decodable {
        var whisper: WhisperOptions?
    }

    private func check(_ fields: [String: Any], _ names: [String]) throws {
        guard let unknown = fields.keys.filter({ !names.contains($0) }).min() else { return }
        throw StenoError(
            .invalidOption, "There is no option “\(unknown)”. Use one of \(names.sorted().joined(separator: ", ")).")
    }

    private func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: data)
        } catch let error as DecodingError {
            throw StenoError(.invalidOption, notWhole(for: type) ?? Self.sentence(error), underlying: error)
        }
    }

    /// Which number should be a whole one, or a smaller one: the decoder reports it without its name, as damaged JSON.
    ///
    /// It is the number after whose replacement, and that of those before it, the options can be decoded.
    private func notWhole(for type: (some Decodable).Type) -> String? {
        for count in 1... {
            var replacing = Replacing(count: count)
            let changed = replacing.replaced(fields, path: [])
            guard replacing.count == 0, let last = replacing.last,
                let data = try? JSONSerialization.data(withJSONObject: changed)
            else { return nil }
            guard (try? JSONDecoder().decode(type, from: data)) != nil else { continue }
            let name = "The option “\(last.path.joined(separator: "."))”"
            return last.number == last.number.rounded()
                ? "\(name) is too large: \(last.number)." : "\(name) must be a whole number, not \(last.number)."
        }
        return nil
    }

    /// Replaces the first numbers that are no integers.
    private struct Replacing {
        /// How many are left to be replaced.
        var count: Int
        var last: (path: [String], number: Double)?

        mutating func replaced(_ value: Any, path: [String]) -> Any {
            if let fields = value as? [String: Any] {
                var changed = fields
                for key in fields.keys.sorted() { changed[key] = fields[key].map { replaced($0, path: path + [key]) } }
                return changed
            }
            if let items = value as? [Any] {
                return items.enumerated().map { replaced($1, path: path + ["\($0)"]) }
            }
            guard count > 0, let number = (value as? NSNumber)?.doubleValue, Int(exactly: number) == nil else {
                return value
            }
            count -= 1
            last = (path, number)
            return 1
        }
    }

    private static func sentence(_ error: DecodingError) -> String {
        let (context, problem): (DecodingError.Context, String) =
            switch error {
            case .typeMismatch(let type, let context): (context, "must be of the type \(type)")
            case .valueNotFound(let type, let context): (context, "must not be null, but of the type \(type)")
            case .dataCorrupted(let context): (context, "has a wrong value: \(context.debugDescription)")
            case .keyNotFound(let key, let context): (context, "needs the field “\(key.stringValue)”")
            @unknown default: (DecodingError.Context(codingPath: [], debugDescription: ""), "has a wrong value")
            }
        let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
        return "The option “\(path.joined(separator: "."))” \(problem)."
    }
}
