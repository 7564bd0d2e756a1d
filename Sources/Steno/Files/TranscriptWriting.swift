package import Foundation
package import StenoCore

/// The outcome of writing the files of one transcript.
package struct TranscriptWriting: Sendable {
    /// The files that were written.
    package private(set) var written: [URL] = []
    /// The written files that existed before.
    package private(set) var replaced: [URL] = []
    /// Why other files could not be written.
    package private(set) var failures: [any Error] = []

    /// Writes a transcript in several formats, each file atomically; if one cannot be written, the others still are.
    ///
    /// A folder that was removed while the recording was decoded is created again.
    ///
    /// - Parameter keepingExisting: Whether files that exist are left as they are.
    package init(
        _ transcript: Transcript, to files: [(file: URL, format: TranscriptFormat)], subtitles: SubtitleOptions,
        keepingExisting: Bool = false
    ) {
        for (file, format) in files {
            let exists = FileManager.default.fileExists(atPath: file.path)
            guard !exists || !keepingExisting else { continue }
            do {
                try AtomicFile.makeFolder(file.deletingLastPathComponent())
                try AtomicFile.write(format.text(of: transcript, subtitles: subtitles), to: file)
                written.append(file)
                if exists { replaced.append(file) }
            } catch {
                failures.append(error)
            }
        }
    }
}
