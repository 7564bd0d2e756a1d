public import Foundation
import StenoCore

/// The files that the transcripts of several recordings go to: `talk.srt` and `talk.json` for `talk.mp3`.
///
/// Everything that can be wrong with the output is found before work starts, because a transcript can take an hour.
public struct TranscriptDestination: Sendable, Hashable {
    /// The folder that receives the files.
    public let folder: URL
    /// The formats of which each recording gets one file.
    public let formats: [TranscriptFormat]
    /// How transcripts are cut into cues.
    public let subtitles: SubtitleOptions

    /// Creates the folder if it is missing, and checks it and the names.
    ///
    /// - Parameters:
    ///   - folder: The folder that receives the files.
    ///   - formats: The formats of which each recording gets one file.
    ///   - inputs: The sounds' paths; `-` is standard input, whose files are called `stdin`.
    ///   - subtitles: How transcripts are cut into cues, in the formats that have them.
    /// - Throws: `StenoError`: `invalidOption` when two inputs would get the same file or one would be overwritten,
    ///   `outputFailed` when nothing can be written into the folder.
    public init(
        folder: URL, formats: [TranscriptFormat], inputs: [String], subtitles: SubtitleOptions = SubtitleOptions()
    ) throws {
        try subtitles.validate()
        self.folder = folder
        self.formats = formats
        self.subtitles = subtitles
        try refuseEqualNames(inputs)
        try refuseOverwriting(inputs)
        try prepareFolder()
    }

    /// The file for one recording in one format.
    public func file(for input: String, format: TranscriptFormat) -> URL {
        folder.appendingPathComponent(Self.stem(input) + "." + format.fileExtension)
    }

    /// Writes all formats of one transcript; each file appears whole or not at all.
    ///
    /// - Returns: The files written.
    @discardableResult
    public func write(_ transcript: Transcript, for input: String) throws -> [URL] {
        try formats.map { format in
            let file = file(for: input, format: format)
            try AtomicFile.write(format.write(transcript, subtitles: subtitles), to: file)
            return file
        }
    }

    /// The file's name without folder and extension.
    static func stem(_ input: String) -> String {
        input == "-" ? "stdin" : URL(fileURLWithPath: input).deletingPathExtension().lastPathComponent
    }

    /// Some disks do not tell capital letters apart, so names are compared without them.
    private func refuseEqualNames(_ inputs: [String]) throws {
        var seen: [String: String] = [:]
        for input in inputs {
            guard let other = seen.updateValue(input, forKey: Self.stem(input).lowercased()) else { continue }
            throw StenoError(
                .invalidOption,
                "\(other) and \(input) would both be written to \(folder.path)/\(Self.stem(input)).*. "
                    + "Transcribe them into different folders.")
        }
    }

    private func refuseOverwriting(_ inputs: [String]) throws {
        let sources = Set(inputs.map { URL(fileURLWithPath: $0).standardizedFileURL.path })
        for input in inputs {
            for file in formats.map({ file(for: input, format: $0) })
            where sources.contains(file.standardizedFileURL.path) {
                throw StenoError(.invalidOption, "The transcript of \(input) would overwrite the input \(file.path).")
            }
        }
    }

    private func prepareFolder() throws {
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw StenoError(.outputFailed, "The output folder \(folder.path) cannot be made.", underlying: error)
        }
        guard AtomicFile.canWrite(in: folder) else {
            throw StenoError(.outputFailed, "The output folder \(folder.path) cannot be written to.")
        }
    }
}
