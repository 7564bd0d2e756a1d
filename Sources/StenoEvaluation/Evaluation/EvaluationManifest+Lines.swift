import Foundation
import StenoCore

extension EvaluationManifest {
    private struct Line: Decodable {
        var file: String?
        var audio_filepath: String?
        var text: String?
        var language: String?
        var offset: Double?
        var rttm: String?
    }

    static func read(file: URL) throws -> Self {
        let folder = file.deletingLastPathComponent()
        var items: [EvaluationItem] = []
        var lineOfName: [String: Int] = [:]
        // Only a line feed ends a line: JSON strings may hold Unicode's other line separators as they are.
        let lines = try EvaluationInput.text(file).utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            guard line.contains(where: { ![0x20, 0x09, 0x0D].contains($0) }) else { continue }
            do {
                let item = try item(Data(line), folder)
                if let other = lineOfName.updateValue(index + 1, forKey: item.name) {
                    throw EvaluationInput.failure("\(item.name) is in line \(other) already.")
                }
                items.append(item)
            } catch {
                throw EvaluationInput.failure("\(file.path), line \(index + 1): \(sentence(error))", error)
            }
        }
        guard !items.isEmpty else { throw EvaluationInput.failure("\(file.path) names no recordings.") }
        return Self(items: items)
    }

    private static func item(_ data: Data, _ folder: URL) throws -> EvaluationItem {
        let line = try JSONDecoder().decode(Line.self, from: data)
        guard let name = line.file ?? line.audio_filepath, !name.isEmpty else {
            throw EvaluationInput.failure("it has neither \"file\" nor \"audio_filepath\".")
        }
        guard let text = line.text else { throw EvaluationInput.failure("it has no \"text\".") }
        guard line.offset ?? 0 == 0 else {
            throw EvaluationInput.failure("\"offset\" is not supported: cut the recording into files.")
        }
        let audio = place(name, folder)
        // Segments of another layout are other programs' own.
        let stretches = (try? JSONDecoder().decode(LabelledSegments.self, from: data))?.stretches
        return EvaluationItem(
            name: name, audio: audio, text: text, language: try code(line.language),
            stretches: stretches.flatMap { $0.hasSpeakers ? $0 : nil },
            turns: line.rttm.map { place($0, folder) } ?? turnsFile(audio))
    }

    private static func place(_ path: String, _ folder: URL) -> URL {
        path.hasPrefix("/") ? URL(fileURLWithPath: path) : folder.appendingPathComponent(path)
    }

    private static func code(_ language: String?) throws -> String? {
        guard let language, !language.isEmpty else { return nil }
        guard let code = Languages.code(for: language) else {
            throw EvaluationInput.failure("the language \"\(language)\" is not known.")
        }
        return code
    }

    /// What is wrong with a line, in words of the file rather than of the program.
    private static func sentence(_ error: any Error) -> String {
        switch error {
        case let error as StenoError: error.message
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            context.codingPath.isEmpty
                ? "a JSON object is expected." : "\"\(context.codingPath[0].stringValue)\" is of the wrong type."
        default: "this is not JSON."
        }
    }
}
