import ArgumentParser
import Steno

/// How transcripts are split into cues; any of these options implies word timestamps.
struct SubtitleArguments: ParsableArguments {
    private static let splitting = CueSplitting()

    @Flag(
        name: .long,
        help: """
            Split subtitles for reading: whole phrases in balanced lines, shown long enough, never overlapping \
            (default: one cue per segment, as openai-whisper writes it).
            """)
    var splitCues = false
    @Option(
        name: .long,
        help: .init(
            """
            Maximum number of characters per subtitle line; with --split-cues the default is 42, or 16 full-width \
            characters in Chinese and Korean, 13 in Japanese.
            """, valueName: "n"))
    var maxLineWidth: Int?
    @Option(
        name: .long,
        help: .init(
            """
            Maximum number of lines per cue (with --split-cues: \(splitting.lineCount)); without --split-cues it \
            requires --max-line-width, and lines are filled as in openai-whisper.
            """, valueName: "n"))
    var maxLineCount: Int?
    @Option(help: .init("Maximum number of words per cue, as in openai-whisper.", valueName: "n"))
    var maxWordsPerLine: Int?
    @Flag(help: "Underline each word in srt and vtt as it is spoken: one cue per word.") var highlightWords = false
    @Flag(help: "Add word times to the cues of vtt and the lines of lrc.") var karaoke = false
    @Option(
        help: .init(
            "Reading speed in characters per second (default: 17; Chinese 9, Japanese 7, Korean 12).", valueName: "n"))
    var readingSpeed: Double?
    @Option(help: .init("Minimum duration of a cue (default: \(splitting.minDuration)).", valueName: "time"))
    var minCueDuration: Seconds?
    @Option(help: .init("Maximum duration of a cue (default: \(splitting.maxDuration)).", valueName: "time"))
    var maxCueDuration: Seconds?
    @Option(help: .init("Minimum gap between two cues (default: \(splitting.minGap)).", valueName: "time"))
    var cueGap: Seconds?

    var options: SubtitleOptions {
        var options = SubtitleOptions()
        options.highlight = karaoke ? .karaoke : highlightWords ? .underline : .none
        options.maxWordsPerLine = maxWordsPerLine
        if splitCues {
            var splitting = Self.splitting
            splitting.lineWidth = maxLineWidth
            splitting.lineCount = maxLineCount ?? splitting.lineCount
            splitting.readingSpeed = readingSpeed
            splitting.minDuration = minCueDuration?.value ?? splitting.minDuration
            splitting.maxDuration = maxCueDuration?.value ?? splitting.maxDuration
            splitting.minGap = cueGap?.value ?? splitting.minGap
            options.splitting = splitting
        } else {
            options.maxLineWidth = maxLineWidth
            options.maxLineCount = maxLineCount
        }
        return options
    }

    func validate() throws {
        guard
            splitCues
                || [readingSpeed, minCueDuration?.value, maxCueDuration?.value, cueGap?.value].allSatisfy({ $0 == nil })
        else {
            throw ValidationError(
                "--reading-speed, --min-cue-duration, --max-cue-duration and --cue-gap require --split-cues.")
        }
        guard !splitCues || maxWordsPerLine == nil else {
            throw ValidationError("--max-words-per-line and --split-cues cannot be combined: use one of them.")
        }
        guard splitCues || maxLineCount == nil || maxLineWidth != nil else {
            throw ValidationError("--max-line-count requires --max-line-width or --split-cues.")
        }
        guard !highlightWords || !karaoke else {
            throw ValidationError("--highlight-words and --karaoke cannot be combined: use one of them.")
        }
        do {
            try options.validate()
        } catch let error as StenoError {
            throw ValidationError(error.message)
        }
    }

    /// Rejects options that affect none of the output formats.
    func validate(_ formats: [TranscriptFormat]) throws {
        let isUsed = formats.contains {
            karaoke ? [.vtt, .lrc].contains($0) : highlightWords ? [.srt, .vtt].contains($0) : $0.hasCues
        }
        guard isUsed || !options.needsWords else {
            throw ValidationError(
                karaoke
                    ? "--karaoke is for vtt and lrc: add --output-format vtt."
                    : "The subtitle options are for srt, vtt and lrc: add --output-format srt, for example.")
        }
    }

    /// Turns on word timestamps where the cues need them.
    func apply(to decoding: inout TranscriptionOptions) { if options.needsWords { decoding.wordTimestamps = true } }
}
