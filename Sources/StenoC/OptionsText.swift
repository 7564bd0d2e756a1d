import Foundation
import Steno
import StenoCore
import StenoVoiceActivity
import StenoWhisper

/// Options as a C program gives them: a JSON object, or NULL for the defaults.
struct OptionsText {
    private let data: Data
    private let shape: [String: Shape?]

    /// - Throws: `StenoError.invalidOption` if it is not a JSON object.
    init(_ text: UnsafePointer<CChar>?) throws {
        data = Data((text.map { String(cString: $0) } ?? "{}").utf8)
        guard let shape = try? JSONDecoder().decode([String: Shape?].self, from: data) else {
            throw StenoError(
                .invalidOption, "The options are not a JSON object. Use a form such as {\"language\": \"en\"}.")
        }
        self.shape = shape
    }

    /// The options of a transcription, with those of Whisper in `whisper`.
    func transcription() throws -> TranscriptionOptions {
        let whisper = shape.part("whisper")
        try check(shape, TranscriptionOptions.fields.names + ["whisper"])
        try check(whisper, WhisperOptions.fields.names)
        try check(whisper.part("voiceActivity"), VoiceActivityOptions.fields.names)
        try check(whisper.part("guards"), GuardOptions.fields.names)
        var options = try decode(TranscriptionOptions.self)
        if let whisper = try decode(Parts.self).whisper { options.whisper = whisper }
        return options
    }

    /// The options of a live session.
    func live() throws -> LiveOptions {
        try check(shape, LiveOptions.fields.names)
        try check(shape.part("guards"), GuardOptions.fields.names)
        return try decode(LiveOptions.self)
    }

    func voiceActivity() throws -> VoiceActivityOptions {
        try check(shape, VoiceActivityOptions.fields.names)
        return try decode(VoiceActivityOptions.self)
    }

    /// How to load a model.
    func loading() throws -> Loading {
        try check(shape, ["precision", "threads", "maximumConcurrentCalls"])
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

    // MARK: Names

    private func check(_ shape: [String: Shape?], _ names: [String]) throws {
        guard let unknown = shape.keys.filter({ !names.contains($0) }).min() else { return }
        throw StenoError(
            .invalidOption, "There is no option “\(unknown)”. Use one of \(names.sorted().joined(separator: ", ")).")
    }

    private func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: data)
        } catch let error as DecodingError {
            throw StenoError(.invalidOption, Self.sentence(error), underlying: error)
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

/// The names in a JSON value, and in the values inside it.
private struct Shape: Decodable {
    let members: [String: Shape?]

    init(from decoder: any Decoder) throws { members = (try? [String: Shape?](from: decoder)) ?? [:] }
}

extension [String: Shape?] {
    /// The members of an object in this one; none if it is missing, or not an object.
    fileprivate func part(_ name: String) -> [String: Shape?] { self[name]??.members ?? [:] }
}
