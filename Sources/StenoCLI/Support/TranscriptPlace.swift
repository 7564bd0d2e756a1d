import Foundation
import Steno

enum TranscriptPlace: Sendable {
    case standardOutput
    case folder(TranscriptDestination)
    case file(URL, TranscriptFormat, SubtitleOptions)

    var isStandardOutput: Bool {
        if case .standardOutput = self { return true }
        return false
    }

    /// The files of a recording, with their formats; none for standard output.
    func files(for input: String) -> [(file: URL, format: TranscriptFormat)] {
        switch self {
        case .standardOutput: []
        case .folder(let folder): folder.files(for: input)
        case .file(let file, let format, _): [(file, format)]
        }
    }

    func hasAll(for input: String) -> Bool {
        let files = files(for: input)
        return !files.isEmpty && files.allSatisfy { FileManager.default.fileExists(atPath: $0.file.path) }
    }

    /// - Parameter keepingExisting: Whether existing files are left as they are.
    func write(_ transcript: Transcript, for input: String, keepingExisting: Bool) -> TranscriptWriting {
        TranscriptWriting(transcript, to: files(for: input), subtitles: subtitles, keepingExisting: keepingExisting)
    }

    /// Writes an incomplete transcript to files with names of their own: `talk.partial.srt`.
    ///
    /// So a complete transcript of an earlier run stays, and `--skip-existing` does not mistake a partial one for it.
    /// Nothing is replaced: if the name is taken, the next is `talk.partial-2.srt`.
    func writePartial(_ transcript: Transcript, for input: String) throws -> [URL] {
        try files(for: input).map { file, format in
            let partial = Self.free(file)
            try AtomicFile.write(format.text(of: transcript, subtitles: subtitles), to: partial, overwriting: false)
            return partial
        }
    }

    private static func free(_ file: URL) -> URL {
        let stem = file.deletingPathExtension()
        let end = file.pathExtension.isEmpty ? "" : "." + file.pathExtension
        var number = 1
        while true {
            let partial = stem.appendingPathExtension("partial" + (number == 1 ? "" : "-\(number)") + end)
            if !FileManager.default.fileExists(atPath: partial.path) { return partial }
            number += 1
        }
    }

    private var subtitles: SubtitleOptions {
        switch self {
        case .standardOutput: SubtitleOptions()
        case .folder(let folder): folder.subtitles
        case .file(_, _, let subtitles): subtitles
        }
    }
}
