package import Foundation
package import StenoCore

/// Reads RTTM (Rich Transcription Time Marked), NIST's format of who speaks when.
///
/// A line is `SPEAKER talk 1 12.34 5.6 <NA> <NA> anna <NA> <NA>`: the recording, its channel, the start and the
/// duration in seconds, and the speaker. Lines of other kinds are ignored.
package enum RTTM {
    /// Reads a file: the turns of each recording.
    ///
    /// - Throws: `StenoError` `evaluationInput` that names the line.
    package static func load(_ file: URL) throws -> [String: [SpeakerTurn]] {
        let text = try EvaluationInput.text(file)
        do {
            return try parse(text)
        } catch let error as StenoError {
            throw EvaluationInput.failure("\(file.path), \(error.message)", error)
        }
    }

    /// The turns of one recording.
    ///
    /// A file with a single recording is used whatever its name in the file is.
    ///
    /// - Throws: `StenoError` `evaluationInput` if the file has several recordings and none has this name.
    package static func turns(of recording: String, in file: URL) throws -> [SpeakerTurn] {
        let all = try load(file)
        if let turns = all[recording] { return turns }
        guard all.count <= 1 else {
            throw EvaluationInput.failure(
                "\(file.path) has no recording \(recording): it has \(all.keys.sorted().joined(separator: ", ")).")
        }
        return all.values.first ?? []
    }

    package static func parse(_ text: String) throws -> [String: [SpeakerTurn]] {
        var turns: [String: [SpeakerTurn]] = [:]
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let fields = line.split(whereSeparator: \.isWhitespace)
            guard fields.first == "SPEAKER" else { continue }
            guard fields.count >= 8, let start = seconds(fields[3]), let duration = seconds(fields[4]) else {
                throw EvaluationInput.failure(
                    "line \(index + 1): a SPEAKER line has the recording, its channel, the start and the duration in "
                        + "seconds (0 or more), two <NA> and the speaker.")
            }
            turns[String(fields[1]), default: []]
                .append(SpeakerTurn(start: start, end: start + duration, speaker: String(fields[7])))
        }
        return turns
    }

    private static func seconds(_ field: Substring) -> Double? {
        Double(field).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    }
}

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
