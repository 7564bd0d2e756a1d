public import Foundation
import Steno
import StenoCore

/// A recording and its reference text.
public struct EvaluationItem: Sendable, Hashable {
    /// The name of the recording in results: its path as in the manifest.
    public var name: String
    /// The recording.
    public var audio: URL
    /// The reference text.
    public var text: String
    /// The code of the spoken language; nil if the manifest lacks it.
    public var language: String?
    /// The reference text with its speakers; nil if the manifest has no speakers.
    public var stretches: [SpokenStretch]?
    /// The RTTM file with the speaker turns; nil if there is none.
    public var turns: URL?

    /// Creates an item.
    public init(
        name: String, audio: URL, text: String, language: String? = nil, stretches: [SpokenStretch]? = nil,
        turns: URL? = nil
    ) {
        self.name = name
        self.audio = audio
        self.text = text
        self.language = language
        self.stretches = stretches
        self.turns = turns
    }
}

/// Recordings and their reference texts, from a JSON Lines file or a folder.
///
/// A line is an object with `file` or `audio_filepath` (NeMo's name), `text`, and optionally `language`; other fields
/// are ignored. Paths are relative to the manifest's folder. In a folder, each recording's text is in a file of the
/// same name with the extension `txt`; a folder that holds `manifest.jsonl` is that manifest.
///
/// Speakers are in `segments`, objects with `speaker`, `text`, `start` and `end`, and in `rttm`, the path of an RTTM
/// file; by default, that is a file with the recording's name and the extension `rttm`.
public struct EvaluationManifest: Sendable, Hashable {
    /// The recordings, in the order of the manifest or of their names.
    public var items: [EvaluationItem]

    /// Creates a manifest.
    public init(items: [EvaluationItem]) { self.items = items }

    /// Reads a manifest or a folder.
    ///
    /// - Throws: `StenoError` `evaluationInput`, with the line or the file, if something is missing or invalid. Missing
    ///   recordings are found only when they are opened.
    public static func load(_ location: URL) throws -> Self {
        guard location.isFolder else { return try read(file: location) }
        let inside = location.appendingPathComponent("manifest.jsonl")
        return FileManager.default.fileExists(atPath: inside.path)
            ? try read(file: inside) : try read(folder: location)
    }
}

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
        // Only a line feed ends a line: JSON strings may contain Unicode's other line separators.
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
        // Segments in another layout come from other programs and are ignored.
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

    /// Describes what is wrong with a line in terms of the file rather than of the program.
    private static func sentence(_ error: any Error) -> String {
        switch error {
        case let error as StenoError: error.message
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            context.codingPath.isEmpty
                ? "a JSON object is expected." : "\"\(context.codingPath[0].stringValue)\" is of the wrong type."
        default: "this is not JSON."
        }
    }

    static func read(folder: URL) throws -> Self {
        let names = folder.childNames.filter {
            EvaluationInput.audioExtensions.contains(URL(fileURLWithPath: $0).pathExtension.lowercased())
        }
        guard !names.isEmpty else { throw EvaluationInput.failure("There are no recordings in \(folder.path).") }
        return Self(items: try names.map { try item(folder.appendingPathComponent($0)) })
    }

    private static func item(_ audio: URL) throws -> EvaluationItem {
        let reference = audio.deletingPathExtension().appendingPathExtension("txt")
        guard FileManager.default.fileExists(atPath: reference.path) else {
            throw EvaluationInput.failure(
                "The reference text of \(audio.path) is missing: there is no \(reference.lastPathComponent). "
                    + "Put the text there, or move the recording elsewhere.")
        }
        let text = try EvaluationInput.text(reference)
        return EvaluationItem(name: audio.lastPathComponent, audio: audio, text: text, turns: turnsFile(audio))
    }

    /// The RTTM file with the recording's name; nil if there is none.
    static func turnsFile(_ audio: URL) -> URL? {
        let file = audio.deletingPathExtension().appendingPathExtension("rttm")
        return FileManager.default.fileExists(atPath: file.path) ? file : nil
    }
}
