import ArgumentParser
import Foundation
import Steno

/// Where the text is written, and in which formats.
struct OutputArguments: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Output format; may be repeated. Several formats require --output-dir.", valueName: "format")
    )
    var outputFormat: [OutputFormat] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write talk.<format> for talk.<any extension> to this folder instead of standard output.",
            valueName: "folder"))
    var outputDir: String?

    @Flag(name: .long, help: "Print [start --> end] before each line of text on standard output.")
    var timestamps = false

    @Flag(name: .long, help: "Write a line of progress per window to standard error, even when it is not a terminal.")
    var logProgress = false

    /// The requested formats without duplicates; plain text by default.
    var formats: [TranscriptFormat] {
        let wanted = outputFormat.flatMap(\.formats)
        return wanted.isEmpty ? [.txt] : TranscriptFormat.allCases.filter(wanted.contains)
    }

    /// Whether the text can be printed while it is decoded.
    var streams: Bool { formats == [.txt] }

    /// Standard output takes one format, and subtitles of one recording only, since no player reads two files in one.
    func validate(_ files: [String]) throws {
        guard outputDir == nil else {
            guard !timestamps else {
                throw ValidationError("--timestamps is for standard output, not for --output-dir.")
            }
            return
        }
        guard formats.count == 1 else { throw ValidationError("Several output formats require --output-dir.") }
        guard files.count == 1 || streams || formats == [.json] else {
            throw ValidationError("The \(formats[0].rawValue) files of several recordings require --output-dir.")
        }
        guard !timestamps || streams else { throw ValidationError("--timestamps is for plain text only.") }
    }

    /// The folder's files, checked; nil when the text goes to standard output.
    func destination(_ files: [String], _ subtitles: SubtitleOptions) throws -> TranscriptDestination? {
        try outputDir.map {
            try TranscriptDestination(
                folder: URL(fileURLWithPath: $0), formats: formats, inputs: files, subtitles: subtitles)
        }
    }

    /// A segment as a line of plain text.
    func line(_ segment: Segment) -> String {
        let only = Transcript(language: "", languageProbability: 1, duration: 0, segments: [segment])
        let text = TranscriptFormat.txt.text(of: only)
        guard timestamps else { return text }
        return "[\(Timestamp.format(segment.start)) --> \(Timestamp.format(segment.end))] \(text)"
    }
}

/// An output format as the command line names it.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    case txt, srt, vtt, lrc, json, tsv, all

    var formats: [TranscriptFormat] {
        TranscriptFormat(rawValue: rawValue).map { [$0] } ?? TranscriptFormat.allCases
    }
}
