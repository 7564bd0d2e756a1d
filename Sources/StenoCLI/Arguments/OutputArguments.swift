import ArgumentParser
import Foundation
import Steno
import StenoCommandLine

struct OutputArguments: ParsableArguments {
    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: .init(
            "Write the transcript of one recording to this file; the extension decides the format (talk.srt). A "
                + "folder works like --output-dir.", valueName: "file"))
    var outputs: [String] = []
    @Option(
        name: [.customShort("f"), .long],
        help: .init(
            "Formats of the output, txt, srt, vtt, lrc, json, tsv or all, or rttm (needs speakers); a list or repeated. "
                + "Several formats require --output-dir.", valueName: "format,..."))
    var outputFormat: [OutputFormats] = []
    @Option(
        help: .init(
            "Write talk.<format> for talk.<any extension> to this folder instead of standard output; existing "
                + "transcripts are replaced.", valueName: "folder"))
    var outputDir: String?
    @Flag(help: "Skip recordings that have a transcript, and write only the missing formats.") var skipExisting = false
    @Flag(help: "Let --output replace an existing file (never a recording).") var force = false
    @Flag(inversion: .prefixedNo, help: "Print [start --> end] before each line of text on standard output.")
    var timestamps = false
    @Flag(help: "Write progress as lines if standard error is not a terminal.") var logProgress = false

    private var output: String? { outputs.first }

    var folder: String? { outputDir ?? output.flatMap { Self.isFolder($0) ? $0 : nil } }

    var file: String? { output.flatMap { Self.isFolder($0) || $0 == "-" ? nil : $0 } }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return path.hasSuffix("/")
            || FileManager.default.fileExists(atPath: LocalFile.url(path).path, isDirectory: &isFolder)
                && isFolder.boolValue
    }

    /// The requested formats without duplicates; by default the format of the output file's name, or plain text.
    var formats: [TranscriptFormat] {
        let wanted = outputFormat.flatMap(\.values)
        guard wanted.isEmpty else { return TranscriptFormat.allCases.filter(wanted.contains) }
        return [file.flatMap { try? TranscriptFormat(file: LocalFile.url($0)) } ?? .txt]
    }

    /// Whether the text can be printed while it is decoded.
    var streams: Bool { formats == [.txt] && folder == nil && file == nil }

    /// Standard output takes one format, and subtitles of one recording only, since players cannot read two subtitle
    /// files in one.
    func validate(_ files: [String]) throws {
        guard outputs.count <= 1 else {
            throw ValidationError(
                "--output is for one file. For several formats, name a folder: "
                    + "--output-dir texts --output-format srt,txt")
        }
        if let outputDir, outputDir.isEmpty {
            throw ValidationError("--output-dir is empty: name the folder, or . for this one.")
        }
        guard output == nil || outputDir == nil else {
            throw ValidationError("--output is for one file, --output-dir is for several: use one of them.")
        }
        if let output, output.isEmpty { throw ValidationError("--output is empty: name the file, such as talk.srt.") }
        let isPrinted = folder == nil && file == nil
        guard isPrinted || !timestamps else {
            throw ValidationError(
                "--timestamps is for standard output. For files, choose a format with times, such as srt.")
        }
        guard !isPrinted || !skipExisting else {
            throw ValidationError("--skip-existing needs --output-dir or --output.")
        }
        guard !force || !isPrinted else { throw ValidationError("--force needs --output.") }
        guard folder == nil else { return }
        guard formats.count == 1 else { throw ValidationError("Several output formats require --output-dir.") }
        if let file {
            guard files.count <= 1 else {
                throw ValidationError("--output is for one recording: use --output-dir for several.")
            }
            if outputFormat.isEmpty { try checkName(file) }
        } else {
            guard files.count <= 1 || streams || formats == [.json] else {
                throw ValidationError("The \(formats[0].rawValue) files of several recordings require --output-dir.")
            }
            guard !timestamps || streams else {
                throw ValidationError("--timestamps is for plain text only: leave it out.")
            }
        }
    }

    /// With a list, the results go to standard output as JSON.
    func validateForList() throws {
        guard outputs.isEmpty, outputDir == nil else {
            throw ValidationError(
                "--from-list writes one line of JSON per recording to standard output: leave out --output and "
                    + "--output-dir.")
        }
        guard formats == [.json] || outputFormat.isEmpty else {
            throw ValidationError("--from-list writes JSON: leave out --output-format.")
        }
        guard !skipExisting, !force, !timestamps, !logProgress else {
            throw ValidationError(
                "--from-list cannot be combined with --skip-existing, --force, --timestamps or --log-progress.")
        }
    }

    private func checkName(_ file: String) throws {
        do {
            _ = try TranscriptFormat(file: LocalFile.url(file))
        } catch {
            throw ValidationError("--output \(error.sentence) Or name the format: --output-format srt")
        }
    }

    /// Where the transcripts go; files and folders are checked.
    func place(_ files: [String], _ subtitles: SubtitleOptions) throws -> TranscriptPlace {
        if let folder {
            return .folder(
                try TranscriptDestination(
                    folder: LocalFile.url(folder), formats: formats, inputs: files, subtitles: subtitles))
        }
        guard let file else { return .standardOutput }
        let inputs = files.compactMap {
            $0 == "-" ? FileIdentity(regularFile: STDIN_FILENO) : FileIdentity(LocalFile.url($0))
        }
        var outputs = OutputFiles(
            overwriting: force || skipExisting, inputs: inputs,
            remedy: "Choose another name, or replace it with --force.")
        try outputs.check(LocalFile.url(file))
        return .file(LocalFile.url(file), formats[0], subtitles)
    }

    func line(_ segment: Segment) -> String {
        let only = Transcript(language: "", languageProbability: 1, duration: 0, segments: [segment])
        let text = TranscriptFormat.txt.text(of: only)
        guard timestamps else { return text }
        return "[\(Timestamp.format(segment.start)) --> \(Timestamp.format(segment.end))] \(text)"
    }
}
