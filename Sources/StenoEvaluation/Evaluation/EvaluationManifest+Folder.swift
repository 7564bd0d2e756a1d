import Foundation
import Steno

extension EvaluationManifest {
    static func read(folder: URL) throws -> Self {
        let names = folder.childNames.filter {
            EvaluationInput.audioExtensions.contains(URL(fileURLWithPath: $0).pathExtension.lowercased())
        }
        guard !names.isEmpty else { throw EvaluationInput.failure("There are no recordings in \(folder.path).") }
        return Self(items: try names.map { try item(folder.appendingPathComponent($0)) })
    }

    private static func item(_ audio: URL) throws -> EvaluationItem {
        let beside = audio.deletingPathExtension().appendingPathExtension("txt")
        guard FileManager.default.fileExists(atPath: beside.path) else {
            throw EvaluationInput.failure(
                "The reference text of \(audio.path) is missing: there is no \(beside.lastPathComponent). "
                    + "Put the text there, or move the recording elsewhere.")
        }
        let text = try EvaluationInput.text(beside)
        return EvaluationItem(name: audio.lastPathComponent, audio: audio, text: text, turns: turnsFile(audio))
    }

    /// The RTTM file of the recording's name; nil when there is none.
    static func turnsFile(_ audio: URL) -> URL? {
        let file = audio.deletingPathExtension().appendingPathExtension("rttm")
        return FileManager.default.fileExists(atPath: file.path) ? file : nil
    }
}
