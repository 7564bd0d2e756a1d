/// Options that people type from habit: spellings of openai-whisper, faster-whisper and its commands, and whisper.cpp,
/// and likely guesses.
///
/// Underscores and capital letters in long names need no entry, nor does `--no-x` for a flag `--x` that is off unless
/// given. Each key of a table lists all spellings with the same meaning.
enum Habits {
    /// Every spelling, in lower case with hyphens, and its meaning.
    static let all: [String: Habit] = [shared, whisperPython, whisperCPP, guesses].reduce(into: [:]) { all, table in
        for (spellings, habit) in table {
            for spelling in spellings.split(separator: " ") where all[String(spelling)] == nil {
                all[String(spelling)] = habit
            }
        }
    }

    static let speakerLabels = "Use --speakers auto to label who speaks, or --speakers 2 if the number is known."
    static let processorOnly = "Steno runs on the CPU only: leave it out."
    static let noDownloads =
        "Only steno models download needs a token; set HF_TOKEN for it."

    private static let shared: [String: Habit] = [
        "-f": .value { formats($0) ?? .file($0) },
        "--file --input": .value { .file($0) },
        "--prompt": .option("--initial-prompt"),
        "--logprob-threshold --log-prob-threshold": .option("--log-probability-threshold"),
        "--device": .value(device),
        "--diarize": .flag(.refused(speakerLabels)),
        "--carry-initial-prompt": .flag(
            .refused("A prompt is for the first window only; --hotwords are expected in every window.")),
    ]

    /// openai-whisper, faster-whisper, whisper-ctranslate2.
    private static let whisperPython: [String: Habit] = [
        "--fp16": .flag(.ignored("Steno computes in int8 or float32; see --precision.")),
        "--compute-type --dtype": .value(precision),
        "--device-index": .value { _ in .ignored(processorOnly) },
        "--cpu-threads": .option("--threads"),
        "--num-workers": .value { _ in .ignored("One command uses all cores.") },
        "--model-dir": .value {
            .refused("Models are found in the folders of $STENO_MODELS: STENO_MODELS=\($0) steno …")
        },
        "--model-directory": .value { .refused("Give the folder of the model: --model \($0)") },
        "--download-root": .value {
            .refused("Models are found in the folders of $STENO_MODELS: STENO_MODELS=\($0) …")
        },
        "--local-files-only --pretty-json": .flag(.nothing),
        "--hf-token --use-auth-token": .value { _ in .ignored(noDownloads) },
        "--temperature-increment-on-fallback": .value(increment),
        "--batched": .arguments("--batch-size=8"),
        "--vad-parameters": .value { _ in .refused("Set each with its own option, such as --vad-min-silence 500.") },
        "--neg-threshold --vad-neg-threshold": .option("--vad-negative-threshold"),
        "--min-speech-duration-ms": .option("--vad-min-speech"),
        "--max-speech-duration-s": .option("--vad-max-speech"),
        "--min-silence-duration-ms": .option("--vad-min-silence"),
        "--speech-pad-ms": .option("--vad-speech-pad"),
        "--print-colors": .flag(.ignored("Steno prints text without colours.")),
        "--live-transcribe": .refused("For live transcription, run: steno live"),
        "--speaker-name": .value { _ in .refused(speakerLabels) },
        "--speaker-num": .option("--speakers"),
    ]

    /// Likely guesses: shorter names, and names from other commands.
    private static let guesses: [String: Habit] = [
        "-o --out": .option("--output"),
        "--output": .option("--save"),
        "--output-format": .option("--format"),
        "-i": .option("--input"),
        "--vocabulary": .option("--hotwords"),
        "-v": .option("--verbose"),
        "-y --yes --overwrite": .option("--force"),
        "--silent": .option("--quiet"),
        "--lang": .option("--language"),
        "--model-name --model-size --model-path --model-size-or-path": .option("--model"),
        "--outdir --out-dir --output-directory --output-folder": .option("--output-dir"),
        "--format": .option("--output-format"),
        "--txt --text": .arguments("--output-format=txt"),
        "--srt": .arguments("--output-format=srt"),
        "--vtt": .arguments("--output-format=vtt"),
        "--lrc": .arguments("--output-format=lrc"),
        "--json": .arguments("--output-format=json"),
        "--tsv": .arguments("--output-format=tsv"),
        "--subtitles": .refused("Name the format: --output-format srt or --output-format vtt."),
        "--int8": .arguments("--precision=int8"),
        "--float32 --fp32": .arguments("--precision=float32"),
        "--float16": .flag(precision("float16")),
        "--gpu --cuda": .refused(processorOnly),
        "--cpu --no-vad": .flag(.nothing),
        "--words --word-times": .option("--word-timestamps"),
        "--start --from --seek -ss": .option("--offset"),
        "--length": .option("--duration"),
        "--end --to -to": .value { .refused("Use --duration, or --clip-timestamps START,\($0)") },
        "--skip": .refused("--skip-existing skips files that have a transcript; --offset 1:30 skips the beginning."),
        "--recursive -r": .refused("Name the files: steno transcribe folder/*.mp3"),
        "--diarization": .refused(speakerLabels),
        "--microphone --mic": .refused("The microphone is transcribed by steno live."),
    ]

    /// Options that some commands have under another name.
    static let alternatives = ["--output": "--save", "--output-format": "--format"]

    // MARK: Values

    /// The arguments for one or several formats; nil if the value does not name formats.
    static func formats(_ value: String) -> Habit.Answer? {
        OutputFormats(argument: value).map { _ in .arguments(["--output-format=\(value)"]) }
    }

    static func device(_ value: String) -> Habit.Answer {
        switch value.lowercased() {
        case "cpu", "auto": .nothing
        default: .refused(processorOnly)
        }
    }

    static func precision(_ value: String) -> Habit.Answer {
        switch value.lowercased() {
        case "auto", "automatic", "default": .nothing
        case "float32", "fp32": .arguments(["--precision=float32"])
        case let name where name.hasPrefix("int8"): .arguments(["--precision=int8"])
        default: .refused("Steno computes in int8 or float32: use --precision int8 or --precision float32.")
        }
    }

    static func increment(_ value: String) -> Habit.Answer {
        switch (value.lowercased(), Double(value)) {
        case ("none", _), (_, 0?): .arguments(["--temperature=0"])
        case (_, 0.2?): .nothing
        default: .refused("Give the temperatures themselves, such as --temperature 0,0.25,0.5.")
        }
    }
}

/// The meaning of a spelling from another program.
enum Habit: Sendable {
    /// Another name for one of Steno's options.
    case option(String)
    /// A spelling without a value; `True` after it changes nothing, `False` gives the second answer.
    case flag(Answer, whenFalse: Answer = .nothing)
    /// A spelling with a value.
    case value(@Sendable (String) -> Answer)

    enum Answer: Sendable, Equatable {
        /// Replaced by these arguments; options as `--name` or `--name=value`.
        case arguments([String])
        /// Replaced by these arguments, with a note about their meaning.
        case noted([String], String)
        /// Its value is the file to read.
        case file(String)
        /// Without effect in Steno; the sentence says why.
        case ignored(String)
        /// Refused; the sentence says what to write instead.
        case refused(String)

        /// Nothing to pass on, because it is the default.
        static let nothing = Answer.arguments([])
    }

    /// A spelling that is replaced by these arguments.
    static func arguments(_ arguments: String...) -> Habit { .flag(.arguments(arguments)) }

    /// A spelling that is refused, whatever its value.
    static func refused(_ sentence: String) -> Habit { .flag(.refused(sentence)) }
}
