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
    /// The code of the language spoken; nil when the manifest does not have it.
    public var language: String?
    /// The reference text with its speakers; nil when the manifest does not say who speaks.
    public var stretches: [SpokenStretch]?
    /// The RTTM file of who speaks when; nil when there is none.
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
/// Who speaks is in `segments`, objects with `speaker`, `text`, `start` and `end`, and in `rttm`, the path of an RTTM
/// file; without that, in a file of the recording's name with the extension `rttm`.
public struct EvaluationManifest: Sendable, Hashable {
    /// The recordings, in the manifest's order or in that of their names.
    public var items: [EvaluationItem]

    /// Creates a manifest.
    public init(items: [EvaluationItem]) { self.items = items }

    /// Reads a manifest or a folder.
    ///
    /// - Throws: `StenoError` `evaluationInput` that names the line or the file, when something is missing or not what
    ///   it should be. Whether the recordings themselves are there is found when they are opened.
    public static func load(_ location: URL) throws -> Self {
        guard location.isFolder else { return try read(file: location) }
        let inside = location.appendingPathComponent("manifest.jsonl")
        return FileManager.default.fileExists(atPath: inside.path)
            ? try read(file: inside) : try read(folder: location)
    }
}
