public import Foundation
import StenoCore

/// Existing transcripts, made by any program: `talk.json` or `talk.txt` for `talk.mp3`.
public struct HypothesisFolder: Sendable, Hashable {
    /// The transcript of a recording.
    public struct Hypothesis: Sendable, Hashable {
        /// The text.
        public var text: String
        /// The language code, if the transcript has it.
        public var language: String?
        /// The length of the audio in seconds, if the transcript has it.
        public var duration: Double?

        /// Creates a hypothesis.
        public init(text: String, language: String? = nil, duration: Double? = nil) {
            self.text = text
            self.language = language
            self.duration = duration
        }
    }

    /// The folder of the transcripts.
    public let folder: URL

    /// Creates a folder of transcripts.
    public init(_ folder: URL) { self.folder = folder }

    /// Reads the transcript of a recording: JSON from Steno, openai-whisper and others, or else plain text.
    ///
    /// - Throws: `StenoError` `evaluationInput` if there is none, or it cannot be read.
    public func hypothesis(for item: EvaluationItem) throws -> Hypothesis {
        for base in bases(of: item) {
            let json = base.appendingPathExtension("json")
            if FileManager.default.fileExists(atPath: json.path) { return try read(json) }
            let text = base.appendingPathExtension("txt")
            if FileManager.default.fileExists(atPath: text.path) {
                return Hypothesis(text: try EvaluationInput.text(text))
            }
        }
        let stem = item.audio.deletingPathExtension().lastPathComponent
        throw EvaluationInput.failure("There is neither \(stem).json nor \(stem).txt in \(folder.path).")
    }

    /// Where a recording's transcripts may be, without an extension: a manifest may have recordings in subfolders, and the
    /// transcripts may be in the same subfolders or not.
    func bases(of item: EvaluationItem) -> [URL] {
        [item.name, item.audio.lastPathComponent].filter { !$0.hasPrefix("/") }.map {
            folder.appendingPathComponent($0).deletingPathExtension()
        }
    }

    private struct Document: Decodable {
        struct Segment: Decodable { var text: String }
        var text: String?
        var segments: [Segment]?
        var language: String?
        var duration: Double?
    }

    private func read(_ file: URL) throws -> Hypothesis {
        guard let document = try? JSONDecoder().decode(Document.self, from: Data(contentsOf: file)),
            let text = document.text ?? document.segments.map({ $0.map(\.text).joinedAsText() })
        else {
            throw EvaluationInput.failure(
                "\(file.path) is not a transcript: it has neither \"text\" nor \"segments\".")
        }
        let language = document.language.flatMap(Languages.code)
        return Hypothesis(text: text, language: language, duration: document.duration)
    }
}
