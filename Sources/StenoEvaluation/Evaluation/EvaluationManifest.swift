public import Foundation
import Steno

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
/// A line is an object with `file` or `audio_filepath` (NeMo's name), `text`, and `language` if it is known; other
/// fields are ignored. Paths are relative to the manifest's folder. In a folder, each recording's text is in a file of
/// the same name with the extension `txt`; a folder that holds `manifest.jsonl` is that manifest.
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
