import Foundation
import StenoCore

/// The files that an evaluation reads: references, hypotheses and results.
enum EvaluationInput {
    /// The file extensions of recordings; other files in a folder are ignored.
    static let audioExtensions: Set = [
        "wav", "flac", "mp3", "m4a", "aac", "ogg", "oga", "opus", "aif", "aiff", "caf", "wma", "amr", "mp4", "m4v",
        "mov", "mkv", "webm",
    ]

    /// Reads a text file; UTF-8, with or without a byte order mark.
    static func text(_ file: URL) throws -> String {
        guard let data = FileManager.default.contents(atPath: file.path) else {
            throw failure("\(file.path) is not there or cannot be read.")
        }
        guard !audioExtensions.contains(file.pathExtension.lowercased()) else {
            throw failure(
                "\(file.path) is a recording. Give the folder that holds it and its text in "
                    + "\(file.deletingPathExtension().lastPathComponent).txt, or a manifest: a JSON object per line, "
                    + "such as {\"file\": \"\(file.lastPathComponent)\", \"text\": \"The reference.\"}.")
        }
        guard let text = String(data: data, encoding: .utf8) else { throw failure("\(file.path) is not UTF-8 text.") }
        return text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
    }

    static func failure(_ message: String, _ underlying: (any Error)? = nil) -> StenoError {
        StenoError(.evaluationInput, message, underlying: underlying)
    }
}
