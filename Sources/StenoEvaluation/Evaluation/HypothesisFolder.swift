public import Foundation
import Steno
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
            throw EvaluationInput.failure("\(file.path) is not a transcript: it has neither \"text\" nor \"segments\".")
        }
        let language = document.language.flatMap(Languages.code)
        return Hypothesis(text: text, language: language, duration: document.duration)
    }
}

extension EvaluationItem {
    /// The speakers according to the reference.
    ///
    /// - Throws: `StenoError` `evaluationInput` if the reference has no speakers.
    package func labels() throws -> SpeakerLabels {
        let stem = audio.deletingPathExtension().lastPathComponent
        guard turns != nil || stretches != nil else {
            throw EvaluationInput.failure(
                "The reference of \(name) has no speakers. Put \(stem).rttm next to the recording, or name them in the "
                    + "manifest: \"segments\": [{\"speaker\": \"anna\", \"start\": 0.5, \"end\": 2.1, "
                    + "\"text\": \"Good morning.\"}].")
        }
        return SpeakerLabels(turns: try turns.map { try RTTM.turns(of: stem, in: $0) }, stretches: stretches)
    }

    /// The recordings of an RTTM file, for which only the speaker turns are known.
    package static func recordings(inTurns file: URL) throws -> [Self] {
        let names = try RTTM.load(file).keys.sorted()
        guard !names.isEmpty else {
            throw EvaluationInput.failure("\(file.path) has no SPEAKER lines: it is not RTTM, or empty.")
        }
        let folder = file.deletingLastPathComponent()
        return names.map {
            EvaluationItem(name: $0, audio: folder.appendingPathComponent($0 + ".wav"), text: "", turns: file)
        }
    }
}

extension HypothesisFolder {
    /// The speakers in a recording, from a JSON transcript, from RTTM, or from both, with the turns from RTTM.
    ///
    /// - Throws: `StenoError` `evaluationInput` if there is neither, or they have no speakers.
    package func labels(for item: EvaluationItem) throws -> SpeakerLabels {
        let stem = item.audio.deletingPathExtension().lastPathComponent
        if !folder.isFolder { return SpeakerLabels(turns: try RTTM.turns(of: stem, in: folder)) }
        let bases = bases(of: item)
        func file(_ type: String) -> URL? {
            bases.map { $0.appendingPathExtension(type) }.first { FileManager.default.fileExists(atPath: $0.path) }
        }
        let turns = try file("rttm").map { try RTTM.turns(of: stem, in: $0) }
        let transcript = try file("json").map { try Self.stretches($0) }
        guard turns != nil || transcript?.hasSpeakers == true else {
            throw EvaluationInput.failure(
                "\(folder.path) has no speakers of \(item.name): neither \(stem).rttm nor a \(stem).json with "
                    + "\"speaker\" in its segments or words. steno transcribe --speakers auto writes them.")
        }
        return SpeakerLabels(turns: turns, stretches: transcript)
    }

    private static func stretches(_ file: URL) throws -> [SpokenStretch] {
        do {
            return try JSONDecoder().decode(LabelledSegments.self, from: Data(contentsOf: file)).stretches
        } catch {
            throw EvaluationInput.failure("\(file.path) is not a transcript with segments.", error)
        }
    }
}
