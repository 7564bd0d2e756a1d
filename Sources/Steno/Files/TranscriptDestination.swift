public import Foundation
package import StenoCore

/// The output files of several recordings: `talk.srt` and `talk.json` for `talk.mp3`.
///
/// Recordings whose names differ only in the extension keep it: `talk.mp3.srt` and `talk.flac.srt`.
///
/// Problems with the output are detected before work starts, because a transcription can take an hour.
public struct TranscriptDestination: Sendable, Hashable {
    package let folder: URL
    package let formats: [TranscriptFormat]
    package let subtitles: SubtitleOptions
    /// The recordings whose extension is part of their files' names.
    private let keepingExtension: Set<String>

    /// Creates the folder if it is missing, and checks it and the file names.
    ///
    /// - Parameters:
    ///   - folder: The output folder.
    ///   - formats: The formats written for each recording.
    ///   - inputs: The paths of the recordings; `-` is standard input, whose files are called `stdin`.
    ///   - subtitles: How transcripts are split into cues, in formats with cues.
    /// - Throws: `StenoError`: `invalidOption` if two inputs would get the same file, an input would be overwritten or
    ///   `subtitles` is out of range; `outputFailed` if the folder is not writable.
    public init(
        folder: URL, formats: [TranscriptFormat], inputs: [String], subtitles: SubtitleOptions = SubtitleOptions()
    ) throws {
        try subtitles.validate()
        self.folder = folder
        self.formats = formats
        self.subtitles = subtitles
        keepingExtension = Self.sharingStem(inputs)
        try refuseEqualNames(inputs)
        try refuseOverwriting(inputs)
        try prepareFolder()
    }

    package func file(for input: String, format: TranscriptFormat) -> URL {
        folder.appendingPathComponent(name(input) + "." + format.fileExtension)
    }

    /// The name of a recording's files, without their extension.
    private func name(_ input: String) -> String {
        keepingExtension.contains(input) ? URL(fileURLWithPath: input).lastPathComponent : Self.stem(input)
    }

    /// The recordings that share their name without the extension with others.
    private static func sharingStem(_ inputs: [String]) -> Set<String> {
        let groups = Dictionary(grouping: Set(inputs).subtracting(["-"])) { stem($0).lowercased() }
        return Set(groups.values.filter { $0.count > 1 }.flatMap(\.self))
    }

    /// Writes all formats of one transcript; each file is written atomically.
    ///
    /// - Returns: The files written.
    /// - Throws: `StenoError.outputFailed` for the first file that cannot be written, after writing the others.
    @discardableResult
    public func write(_ transcript: Transcript, for input: String) throws -> [URL] {
        let writing = TranscriptWriting(transcript, to: files(for: input), subtitles: subtitles)
        if let failure = writing.failures.first { throw failure }
        return writing.written
    }

    package func files(for input: String) -> [(file: URL, format: TranscriptFormat)] {
        formats.map { (file(for: input, format: $0), $0) }
    }

    static func stem(_ input: String) -> String {
        input == "-" ? "stdin" : URL(fileURLWithPath: input).deletingPathExtension().lastPathComponent
    }

    /// Some file systems ignore case, so names are compared in lower case.
    private func refuseEqualNames(_ inputs: [String]) throws {
        var seen: [String: String] = [:]
        for input in inputs {
            guard let other = seen.updateValue(input, forKey: name(input).lowercased()) else { continue }
            throw StenoError(
                .invalidOption,
                "\(other) and \(input) would both be written to \(folder.path)/\(name(input)).*. "
                    + "Use a different output folder for each.")
        }
    }

    /// Compares files, not names: a link to an input is the input.
    private func refuseOverwriting(_ inputs: [String]) throws {
        let sources = Set(
            inputs.compactMap {
                $0 == "-" ? FileIdentity(regularFile: STDIN_FILENO) : FileIdentity(URL(fileURLWithPath: $0))
            })
        for input in inputs {
            for file in formats.map({ file(for: input, format: $0) }) {
                guard let existing = FileIdentity(file), sources.contains(existing) else { continue }
                throw StenoError(
                    .invalidOption,
                    "The transcript of \(input) would overwrite the input \(file.path). Choose another folder.")
            }
        }
    }

    private func prepareFolder() throws {
        try AtomicFile.makeFolder(folder)
        guard AtomicFile.canWrite(in: folder) else {
            throw StenoError(.outputFailed, "The output folder \(folder.path) is not writable. Choose another one.")
        }
    }
}

package struct TranscriptWriting: Sendable {
    package private(set) var written: [URL] = []
    /// The written files that existed before.
    package private(set) var replaced: [URL] = []
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
