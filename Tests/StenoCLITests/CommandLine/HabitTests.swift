import ArgumentParser
import Testing

@testable import StenoCLI
@testable import StenoCommandLine

/// The translation of habitual options, without reading files or running commands.
@Suite struct HabitTests {
    /// The options of the commands, by name; the parser takes a tenth of a second to list them where it is not optimised.
    private static let options = Dictionary(
        uniqueKeysWithValues: ([Transcribe.self, Live.self, DetectLanguage.self, Evaluate.self]
            as [any ParsableCommand.Type]).map { ($0.name, OptionList($0)) })
    private static let transcribe = options[Transcribe.name] ?? OptionList(Transcribe.self)

    private func translate(
        _ arguments: [String], command: any ParsableCommand.Type = Transcribe.self, files: Set<String> = []
    ) throws -> ArgumentTranslator.Translation {
        let translator = ArgumentTranslator(
            command: "steno \(command.name)", options: try #require(Self.options[command.name]), exists: files.contains)
        return try translator.translate(arguments)
    }

    private func refusal(
        _ arguments: [String], command: any ParsableCommand.Type = Transcribe.self, files: Set<String> = []
    ) -> String {
        let error = #expect(throws: UsageError.self) { try translate(arguments, command: command, files: files) }
        return error?.message ?? ""
    }

    @Test(arguments: [
        // Underscores, capital letters.
        ("--beam_size 5", "--beam-size=5"), ("--Beam-Size=5", "--beam-size=5"),
        ("--word_timestamps True", "--word-timestamps"), ("--word_timestamps=false", ""),
        ("--condition_on_previous_text False", "--no-condition-on-previous-text"),
        ("--condition_on_previous_text True", ""), ("--suppress_blank True", ""),
        ("--suppress_blank False", "--no-suppress-blank"), ("--no-vad-filter", ""),
        // openai-whisper, faster-whisper.
        ("--logprob_threshold -1", "--log-probability-threshold=-1"),
        ("--log_prob_threshold -1", "--log-probability-threshold=-1"), ("--fp16 False", ""), ("--device cpu", ""),
        ("--compute_type int8_float32", "--precision=int8"), ("--compute_type float32", "--precision=float32"),
        ("--compute_type default", ""), ("--output_format all", "--output-format=all"),
        ("--output_dir out", "--output-dir=out"), ("--temperature_increment_on_fallback None", "--temperature=0"),
        ("--vad_filter True", "--vad-filter"), ("--min_silence_duration_ms 500", "--vad-min-silence=500"),
        ("--batched True", "--batch-size=8"), ("--task translate", "--task=translate"),
        // whisper.cpp.
        ("-m base", "--model=base"), ("-l de", "--language=de"), ("-t 4", "--threads=4"), ("-tr", "--translate"),
        ("-otxt", "--output-format=txt"), ("-osrt", "--output-format=srt"), ("-ovtt", "--output-format=vtt"),
        ("-oj", "--output-format=json"), ("-nt", "--no-timestamps"), ("--no-timestamps", "--no-timestamps"),
        ("-bs 5", "--beam-size=5"), ("-bo 5", "--best-of=5"), ("-ml 42", "--max-line-width=42"), ("-ml 0", ""),
        ("-ot 1500", "--offset=1.5"), ("-d 60000", "--duration=60.0"), ("-mc 0", "--no-condition-on-previous-text"),
        ("-nf", "--temperature=0"), ("-np", "--quiet"), ("-ng", ""), ("--vad", "--vad-filter"),
        ("--prompt Nguyen", "--initial-prompt=Nguyen"), ("--translate", "--translate"), ("-f talk.wav", "talk.wav"),
        ("-f srt", "--output-format=srt"), ("--file talk.wav", "talk.wav"),
        // Guesses.
        ("--lang de", "--language=de"), ("--srt", "--output-format=srt"), ("--start 1:30", "--offset=1:30"),
        ("-v", "--verbose"), ("-y", "--force"), ("-o talk.srt", "--output=talk.srt"), ("-q", "--quiet"),
    ]) func clearAlternativesAreAccepted(typed: String, meant: String) throws {
        let arguments = typed.split(separator: " ").map(String.init)
        let translation = try translate(arguments)
        #expect(translation.arguments == meant.split(separator: " ").map(String.init))
        #expect(translation.notes == [])
        // The parser knows each.
        for argument in translation.arguments where argument.hasPrefix("-") {
            let option = try #require(Self.transcribe.option(String(argument.prefix { $0 != "=" })))
            #expect(option.takesValue == argument.contains("="))
        }
    }

    /// Values that are computed from what was typed.
    @Test(arguments: [
        "-ot 1500 -d 60000 -f srt -ml 42 --compute_type int8_float32 -o talk.srt -nt",
        "-nf -mc 0 -l de -tr -y -o a.txt",
        "--batched True --vad --min_silence_duration_ms 500 -f srt --output_dir out", "-osrt -oj --output_dir out",
        "--temperature_increment_on_fallback None --logprob_threshold -1 --prompt Nguyen --compute_type float32 -q",
    ]) func theParserTakesTheMeanings(typed: String) throws {
        _ = try Transcribe.parse(translate(typed.split(separator: " ").map(String.init)).arguments + ["a.wav"])
    }

    @Test(arguments: [
        ("--fp16 True", "int8 or float32"), ("--print_colors True", "without colours"),
        ("-vm silero.bin", "comes with Steno"), ("-fa", "as fast as the processor"),
    ]) func optionsWithoutEffectAreNoted(typed: String, part: String) throws {
        let translation = try translate(typed.split(separator: " ").map(String.init))
        #expect(translation.arguments == [])
        #expect(translation.notes.count == 1 && translation.notes[0].contains(part))
    }

    @Test(arguments: [
        ("--device cuda", "CPU only"), ("--compute_type float16", "--precision int8"),
        ("--skip", "--skip-existing"), ("-di", "--speakers auto"), ("--diarize", "--speakers auto"),
        ("-ocsv", "--output-format tsv"), ("-of talk", "--output talk.srt"), ("--model_dir m", "STENO_MODELS=m"),
        ("--temperature_increment_on_fallback 0.3", "--temperature 0,"), ("-p 4", "--threads 4"),
        ("-dl", "steno detect-language"), ("--subtitles", "--output-format srt"),
        ("--carry_initial_prompt True", "--hotwords"), ("--grammar x", "--hotwords"), ("-ot x", "milliseconds"),
        ("--word-timestamps=5", "takes no value"), ("--language", "needs a value"),
        ("--initial-prompt --language", "--initial-prompt=--language"),
        // A suggestion that is the opposite or only looks alike is worse than none.
        ("--beam-sise", "Did you mean --beam-size?"), ("--beem-size", "Did you mean --beam-size?"),
        ("--langauge", "Did you mean --language?"), ("--clip", "Did you mean --clip-timestamps?"),
        ("--temp", "Did you mean --temperature?"), ("--vad-f", "Did you mean --vad-filter?"),
        ("--loud", "--loud is not an option of steno transcribe."),
        ("--no-condition-on-previous", "Did you mean --no-condition-on-previous-text?"),
    ]) func unclearOptionsAreExplained(typed: String, part: String) {
        let refusal = refusal(typed.split(separator: " ").map(String.init))
        #expect(refusal.contains(part), "\(refusal)")
        #expect(!refusal.contains("\n"))
    }

    /// ffmpeg's `-d 2` is two seconds.
    @Test func fewMillisecondsAreNoted() throws {
        let short = try translate(["a.wav", "-d", "2"])
        #expect(short.arguments == ["a.wav", "--duration=0.002"])
        #expect(short.notes.count == 1 && short.notes[0].contains("--duration 2"), "\(short.notes)")
        #expect(try translate(["a.wav", "-d", "100"]).notes.isEmpty)
    }

    @Test func valuesMayStartWithADash() throws {
        let typed = ["--initial-prompt", "- hello", "--seed", "-5", "--length-penalty", "-0.5", "--hotwords", "-dash"]
        #expect(
            try translate(typed).arguments == [
                "--initial-prompt=- hello", "--seed=-5", "--length-penalty=-0.5", "--hotwords=-dash",
            ])
        #expect(try translate(["--initial-prompt", "a = b"]).arguments == ["--initial-prompt=a = b"])
        #expect(try translate(["--suppress-tokens", ""]).arguments == ["--suppress-tokens", ""])
        // So may files.
        #expect(try translate(["-dash.wav"], files: ["-dash.wav"]).arguments == ["./-dash.wav"])
        #expect(try translate(["--", "-dash.wav", "-", "--x"]).arguments == ["./-dash.wav", "-", "./--x"])
        #expect(refusal(["-dash.wav"]).contains("is written ./-dash.wav"))
        // A file called True is one.
        #expect(try translate(["--guards", "True"], files: ["True"]).arguments == ["--guards", "True"])
    }

    @Test func suggestionsAreNeverTheOpposite() {
        for option in Self.transcribe.names where option.hasPrefix("--no-") {
            let other = "--" + option.dropFirst(5) + "s"
            #expect(Spelling.nearest(other, in: Self.transcribe.names)?.hasPrefix("--no-") != true)
        }
        #expect(Spelling.nearest("--no-timestampz", in: ["--timestamps"]) == nil)
        #expect(Spelling.nearest("--timestampz", in: ["--no-timestamps"]) == nil)
    }

    @Test(arguments: [
        ("-o a.srt", "--save=a.srt"), ("--output a.srt", "--save=a.srt"), ("-i a.wav", "--input=a.wav"),
        ("--output-format vtt", "--format=vtt"), ("--json", "--format=json"), ("a.wav", "--input=a.wav"),
        ("-", "--input=-"), ("--vocabulary Steno", "--hotwords=Steno"),
        ("-tr -f a.wav --format vtt --hotwords x", "--translate --input=a.wav --format=vtt --hotwords=x"),
    ]) func liveAcceptsTranscribesAlternatives(typed: String, meaning: String) throws {
        let words = typed.split(separator: " ").map(String.init)
        #expect(try translate(words, command: Live.self).arguments.joined(separator: " ") == meaning)
    }

    /// `--speakers` of transcribe has a value.
    @Test func aValueAfterAFlagOfLiveIsRefused() throws {
        for value in ["2", "auto"] {
            let typed = ["--speakers", value]
            #expect(refusal(typed, command: Live.self) == "--speakers takes no value: leave out \(value).")
            let file = try translate(typed, command: Live.self, files: [value])
            #expect(file.arguments == ["--speakers", "--input=\(value)"])
        }
        // Options of other commands are explained.
        #expect(refusal(["-osrt"], command: DetectLanguage.self).contains("not an option of steno detect-language"))
        #expect(refusal(["--translate"], command: DetectLanguage.self).contains("is not an option"))
    }

    /// Every entry's meaning exists in some command, which finds renamed options.
    @Test func everyEntryNamesAnOption() {
        for (spelling, habit) in Habits.all {
            #expect(OptionList.canonical(spelling) == spelling)
            let names: [String] =
                switch habit {
                case .option(let name): [name]
                case .flag(.arguments(let arguments), _): arguments.map { String($0.prefix { $0 != "=" }) }
                default: []
                }
            for name in names {
                #expect(Self.options.values.contains { $0.option(name) != nil }, "\(spelling) leads to \(name)")
            }
        }
    }

    @Test func helpCanBeRequestedAnywhere() {
        #expect(throws: HelpRequest.short) { try translate(["a.wav", "--help"]) }
        #expect(throws: HelpRequest.all) { try translate(["--help-all"]) }
        #expect(throws: Never.self) { try translate(["--initial-prompt=--help"]) }
    }
}
