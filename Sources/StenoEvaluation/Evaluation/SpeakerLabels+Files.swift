package import Foundation
import Steno
import StenoCore

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
