import ArgumentParser
import Steno
import StenoCore
import StenoEvaluation
import StenoWhisper
import Testing

@testable import StenoCLI

@Suite struct ArgumentTests {
    private func options(_ arguments: String...) throws -> TranscriptionOptions {
        let command = try #require(try StenoCommand.parseAsRoot(["transcribe", "a.wav"] + arguments) as? Transcribe)
        return try command.options()
    }

    private func liveOptions(_ arguments: String...) throws -> LiveOptions {
        let command = try #require(try StenoCommand.parseAsRoot(["live"] + arguments) as? Live)
        var options = LiveOptions()
        command.speech.apply(to: &options)
        command.policy.apply(to: &options)
        return options
    }

    @Test func everyArgumentOfLiveReachesItsOption() throws {
        #expect(try liveOptions() == LiveOptions() && liveOptions("--switch-language").switchesLanguage)
        var expected = LiveOptions(language: "de", task: .translate).with {
            ($0.vocabulary, $0.prompt, $0.pause) = (["Ada"], "Hello.", 0.3)
            ($0.endpoint, $0.guards) = (0.9, nil)
        }
        (expected.balance, expected.step) = (.accurate, 0.7)
        (expected.showAfter, expected.finalBeamSize) = (0.1, 2)
        // An utterance may be at least as long as the audio that is kept of it.
        (expected.trimAfter, expected.longestUtterance) = (25, 25)
        (expected.contextTokens, expected.detector, expected.sheddingLag) = (50, .energy, 8)
        let parsed = try liveOptions(
            "--language", "de", "--translate", "--hotwords", "Ada", "--initial-prompt", "Hello.", "--pause", "0.3",
            "--endpoint", "0.9", "--no-guards", "--step", "0.7", "--balance", "Accurate", "--show-after", "0.1",
            "--trim-after", "25", "--final-beam-size", "2", "--context-tokens", "50", "--detector", "energy",
            "--shed-above", "8")
        #expect(parsed == expected)
        // So does its pace.
        func pace(_ arguments: String...) throws -> LivePace {
            let command = try StenoCommand.parseAsRoot(["live", "--input", "-"] + arguments)
            let live = try #require(command as? Live)
            return live.arguments.enginePace(charge: live.experts.charge)
        }
        #expect(try pace() == .realTime && pace("--pace", "fast") == .fast)
        #expect(try pace("--pace", "measured") == .measured(factor: 1))
        #expect(try pace("--pace", "fast", "--charge", "1.5") == .charged(seconds: 1.5))
    }

    @Test func everySpeakerScoringArgumentReachesItsOption() throws {
        func scoring(_ arguments: String...) throws -> DiarizationScoring? {
            let command = try StenoCommand.parseAsRoot(["evaluate", "test.jsonl"] + arguments)
            return try #require(command as? Evaluate).evaluation.diarization
        }
        #expect(try scoring() == nil)
        #expect(try scoring("--speakers") == DiarizationScoring(collar: 0.25, skipsOverlap: false))
        let parsed = try scoring("--speakers", "--collar", "0.5", "--skip-overlap")
        #expect(parsed == DiarizationScoring(collar: 0.5, skipsOverlap: true))
        // A number of speakers may have limits.
        func counts(_ argument: String) throws -> ClosedRange<Int>? {
            let command = try StenoCommand.parseAsRoot(["transcribe", "a.wav", "--speakers", argument])
            return try #require((command as? Transcribe)?.speakers.speakers).counts
        }
        #expect(try counts("auto") == nil && counts("3") == 3...3)
        #expect(try counts("2-5") == 2...5)
        for wrong in ["0", "21", "5-2", "2-", "2-21", "1-2-3", "-"] {
            #expect(throws: (any Error).self) { _ = try counts(wrong) }
        }
    }

    @Test func batchesAcceptVoiceDetectionOptions() throws {
        #expect(try options("--batch-size", "2").whisper.voiceActivity == nil)
        #expect(try options("--batch-size", "2", "--vad-filter").whisper.voiceActivity == .batched)
        var expected = VoiceActivityOptions.batched
        expected.threshold = 0.6
        #expect(try options("--batch-size", "2", "--vad-threshold", "0.6").whisper.voiceActivity == expected)
    }

    private func subtitles(_ line: String = "") throws -> (SubtitleOptions, wordTimestamps: Bool) {
        let all = ["transcribe", "a.wav", "--output-format", "vtt"] + line.split(separator: " ").map(String.init)
        let command = try #require(try StenoCommand.parseAsRoot(all) as? Transcribe)
        var options = TranscriptionOptions()
        command.words.apply(to: &options)
        command.subtitles.apply(to: &options)
        return (command.subtitles.options, options.wordTimestamps)
    }

    @Test func everySubtitleArgumentReachesItsOption() throws {
        #expect(try subtitles() == (SubtitleOptions(), false))
        var expected = SubtitleOptions()
        (expected.maxLineWidth, expected.maxLineCount, expected.maxWordsPerLine) = (30, 3, 5)
        expected.highlight = .underline
        let all = try subtitles("--max-line-width 30 --max-line-count 3 --max-words-per-line 5 --highlight-words")
        #expect(all == (expected, true))
        // Readable cues have their limits.
        var readable = SubtitleOptions()
        readable.splitting = CueSplitting()
        #expect(try subtitles("--split-cues") == (readable, true))
        readable.highlight = .karaoke
        readable.splitting = CueSplitting().with {
            ($0.lineWidth, $0.lineCount, $0.readingSpeed) = (30, 3, 20)
            ($0.minDuration, $0.maxDuration, $0.minGap) = (0.5, 5, 0.04)
        }
        let cues = try subtitles(
            "--split-cues --karaoke --max-line-width 30 --max-line-count 3 --reading-speed 20 --min-cue-duration 0.5 "
                + "--max-cue-duration 5 --cue-gap 0.04")
        #expect(cues == (readable, true))
    }

    @Test func offsetAndDurationAreOneClip() throws {
        #expect(try options("--offset", "1:30").clips == [90..<(.infinity)])
        #expect(try options("--duration", "0:45").clips == [0..<45])
        #expect(try options("--offset", "90", "--duration", "0:45").clips == [90..<135])
        #expect(try options("--clip-timestamps", "0:10,0:40,1:00").clips == [10..<40, 60..<(.infinity)])
    }

    @Test func valuesAreReadInAnyCase() throws {
        #expect(try options("--language", "auto").language == nil)
        #expect(try options("--language", "English").language == "English")
        #expect(try options("--task", "Translate").task == .translate)
        #expect(try options("--translate").task == .translate)
        #expect(try options("--compression-ratio-threshold", "None").whisper.compressionRatioThreshold == nil)
        #expect(try options("--no-speech-threshold", "none").whisper.noSpeechThreshold == nil)
        #expect(try options("--temperature", "0,0.25", "--temperature", "0.5").whisper.temperatures == [0, 0.25, 0.5])
        let all = ["transcribe", "a.wav", "--output-dir", "x", "-f", "SRT,vtt", "-f", "All", "--precision", "INT8"]
        let command = try #require(try StenoCommand.parseAsRoot(all) as? Transcribe)
        #expect(command.output.formats == TranscriptFormat.texts && command.model.precision == .int8)
        let two = try #require(try StenoCommand.parseAsRoot(Array(all.prefix(6))) as? Transcribe)
        #expect(two.output.formats == [.srt, .vtt])
    }

    @Test func listsAndTheLineMayBeEmpty() throws {
        #expect(try options() == TranscriptionOptions())
        #expect(try options("--suppress-tokens", "").whisper.suppressTokens.isEmpty)
        #expect(try options("--audio-context", "auto").whisper.audioContext == .automatic)
    }

    private static let wrong: [(String, String)] = [
        ("--temperature hot", "'hot' is invalid"), ("--temperature 0,,x", "'0,,x' is invalid"),
        ("--suppress-tokens 1.5", "'1.5' is invalid"), ("--audio-context 0", "'0' is invalid"),
        ("--audio-context half", "'half' is invalid"), ("--compression-ratio-threshold inf", "'inf' is invalid"),
        ("-f doc", "'doc' is invalid"), ("--precision int4", "'int4' is invalid"),
        ("--threads 0", "--threads must be 1 or more"), ("--task summarize", "'summarize' is invalid"),
        ("-f srt -f vtt", "Several output formats require --output-dir"),
        ("-f all", "Several output formats require --output-dir"),
        ("-f srt,vtt", "Several output formats require --output-dir"),
        ("-f srt b.wav", "The srt files of several recordings require --output-dir"),
        ("--timestamps -f json", "for plain text only"),
        ("--timestamps --output-dir x", "--timestamps is for standard output"), ("- -", "can be given only once"),
        ("", "is empty"), ("--model ", "--model is empty"), ("--seed=-5", "'-5' is invalid"),
        ("--offset 1:75", "'1:75' is invalid"), ("--offset 5 --clip-timestamps 1,2", "use one or the other"),
        ("--offset 5 --vad-filter", "use only one"), ("--duration 0", "must be more than 0"),
        ("--raw mp3", "'mp3' is invalid"), ("--raw s16le,16000 --audio-track 2", "leave out --audio-track"),
        ("--quiet --verbose", "not both"), ("-o a.doc", "must end in one of"), ("-o a.srt -f srt,vtt", "--output-dir"),
        ("b.wav -o a.srt", "one recording"), ("-o a.srt --output-dir x", "use one of them"),
        ("--skip-existing", "--skip-existing needs"), ("-o ", "--output is empty"),
        ("--output-dir ", "--output-dir is empty"), ("-o a.srt -o b.srt", "--output is for one file"),
        ("--speakers some", "'some' is invalid"), ("-f rttm", "add --speakers auto"),
        ("--vad-threshold 0.5", "--vad-filter or a --batch-size above 1"),
        ("--vad-min-silence 100", "require --vad-filter"), ("--vad-filter --vad-threshold 1.5", "must be from 0 to 1"),
        ("--vad-filter --vad-max-speech 0", "more than 0 seconds"),
        ("--vad-filter --vad-speech-pad=-1", "must be 0 or more"),
        ("--vad-filter --vad-detector ear", "'ear' is invalid"),
        ("--clip-timestamps 5,1", "A clip from 5.0 to 1.0 seconds"),
        ("--clip-timestamps 1,x", "'1,x' is invalid"), ("--clip-timestamps nan", "'nan' is invalid"),
        ("--clip-timestamps 1,2 --vad-filter", "both select what is decoded"),
        ("--clip-timestamps 1,2 --batch-size 2 --vad-threshold 0.6", "both select what is decoded"),
        // Without effect on subtitles.
        ("--split-cues", "add --output-format srt"), ("-f json --highlight-words", "add --output-format srt"),
        ("-f lrc --highlight-words", "add --output-format srt"), ("-f srt --karaoke", "add --output-format vtt"),
        ("-f srt --max-line-count 2", "requires --max-line-width or --split-cues"),
        ("-f srt --reading-speed 17", "require --split-cues"),
        ("-f srt --split-cues --max-words-per-line 3", "cannot be combined"),
        ("-f vtt --karaoke --highlight-words", "cannot be combined"),
        ("-f srt --max-line-width 0", "must be 1 or more"), ("-f srt --split-cues --cue-gap 2", "from 0 to 1 second"),
        ("-f srt --split-cues --min-cue-duration 8", "as many as the longest"),
    ]

    private static let wrongElsewhere: [(String, String)] = [
        ("detect-language a.wav --audio-track 0", "at least 1"),
        ("live --input mic --pace fast", "--pace is for files"),
        ("live --input - --charge 1", "--charge needs --pace fast"), ("live --save notes.doc", "must end in one of"),
        ("live --switch-language --language en", "leave out --language"),
        ("live --input - --device x", "--device is for"), ("live --input - --force", "--force needs --save"),
        ("evaluate a.jsonl --limit 0", "--limit must be"), ("evaluate a.jsonl --metric mer", "'mer' is invalid"),
        ("evaluate a.jsonl --hypotheses x --model base", "leave out --model"),
        ("evaluate a.jsonl --manifest-language --language en", "not both"), ("bench --tokens 0", "--tokens must be"),
        ("bench --only everything", "'everything' is invalid"),
    ]

    /// More than two seconds in all: the parser takes a tenth of one for each, where it is not optimised.
    @Test(arguments: wrong.map { ("transcribe a.wav " + $0, $1) } + wrongElsewhere)
    func wrongArgumentsAreRefusedUpFront(line: String, words: String) throws {
        let arguments = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let error = try #require(throws: (any Error).self) { try StenoCommand.parseAsRoot(arguments) }
        let message = (error as? StenoError)?.message ?? StenoCommand.message(for: error)
        #expect(message.contains(words))
    }

    @Test func severalFilesAsTextOrJSONMayShareStandardOutput() throws {
        for format in ["txt", "json"] {
            _ = try StenoCommand.parseAsRoot(["transcribe", "a.wav", "b.wav", "--output-format", format])
        }
    }
}
