import ArgumentParser
import Steno

/// How transcripts are cut into cues; with any of these, word times are found too.
struct SubtitleArguments: ParsableArguments {
    private static let splitting = CueSplitting()

    @Flag(
        name: .long,
        help: """
            Cut subtitles so that they can be read: phrases in balanced lines, long enough on the screen, never two at \
            once (default: a cue a segment, as openai-whisper writes it).
            """)
    var splitCues = false
    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            The most characters in a line of subtitles; with --split-cues the default is 42, or 16 full-width ones in \
            Chinese and Korean, 13 in Japanese.
            """, valueName: "n"))
    var maxLineWidth: Int?
    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            The most lines in a cue (with --split-cues: \(splitting.lineCount)); without --split-cues it needs \
            --max-line-width, and lines are filled as openai-whisper does.
            """, valueName: "n"))
    var maxLineCount: Int?
    @Option(name: .long, help: ArgumentHelp("The most words in a cue, cut as openai-whisper does.", valueName: "n"))
    var maxWordsPerLine: Int?
    @Flag(name: .long, help: "Underline each word in srt and vtt while it is said: a cue for every word.")
    var highlightWords = false
    @Flag(name: .long, help: "Write the time of each word into the cues of vtt and the lines of lrc.")
    var karaoke = false
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The characters a second that can be read (default: 17; Chinese 9, Japanese 7, Korean 12).", valueName: "n")
    )
    var readingSpeed: Double?
    @Option(
        name: .long,
        help: ArgumentHelp("The least time a cue stays (default: \(splitting.minDuration)).", valueName: "seconds"))
    var minCueDuration: Double?
    @Option(
        name: .long,
        help: ArgumentHelp("The longest time a cue stays (default: \(splitting.maxDuration)).", valueName: "seconds"))
    var maxCueDuration: Double?
    @Option(
        name: .long,
        help: ArgumentHelp("The least time between two cues (default: \(splitting.minGap)).", valueName: "seconds"))
    var cueGap: Double?

    /// The options asked for.
    var options: SubtitleOptions {
        var options = SubtitleOptions()
        options.highlight = karaoke ? .karaoke : highlightWords ? .underline : .none
        options.maxWordsPerLine = maxWordsPerLine
        if splitCues {
            var splitting = Self.splitting
            splitting.lineWidth = maxLineWidth
            splitting.lineCount = maxLineCount ?? splitting.lineCount
            splitting.readingSpeed = readingSpeed
            splitting.minDuration = minCueDuration ?? splitting.minDuration
            splitting.maxDuration = maxCueDuration ?? splitting.maxDuration
            splitting.minGap = cueGap ?? splitting.minGap
            options.splitting = splitting
        } else {
            options.maxLineWidth = maxLineWidth
            options.maxLineCount = maxLineCount
        }
        return options
    }

    func validate() throws {
        guard splitCues || [readingSpeed, minCueDuration, maxCueDuration, cueGap].allSatisfy({ $0 == nil }) else {
            throw ValidationError("Reading speed, cue durations and the cue gap need --split-cues.")
        }
        guard !splitCues || maxWordsPerLine == nil else {
            throw ValidationError(
                "--max-words-per-line is another way to cut than --split-cues: leave one of them out.")
        }
        guard splitCues || maxLineCount == nil || maxLineWidth != nil else {
            throw ValidationError("--max-line-count needs --max-line-width or --split-cues.")
        }
        guard !highlightWords || !karaoke else {
            throw ValidationError("Choose --highlight-words or --karaoke.")
        }
        do {
            try options.validate()
        } catch let error as StenoError {
            throw ValidationError(error.message)
        }
    }

    /// Refuses options that would change none of the files.
    func validate(_ formats: [TranscriptFormat]) throws {
        let isUsed = formats.contains {
            karaoke ? [.vtt, .lrc].contains($0) : highlightWords ? [.srt, .vtt].contains($0) : $0.hasCues
        }
        guard isUsed || !options.needsWords else {
            throw ValidationError(
                karaoke
                    ? "--karaoke is for vtt and lrc: add --output-format vtt."
                    : "The subtitle options are for srt, vtt and lrc: add --output-format srt, say.")
        }
    }

    /// Turns on what the cues need.
    func apply(to decoding: inout DecodingOptions) {
        if options.needsWords { decoding.wordTimestamps = true }
    }
}
