extension Habits {
    /// whisper.cpp's `whisper-cli` and `whisper-stream`; long options of a single word are in the other tables.
    static let whisperCPP: [String: Habit] = [
        "-tr": .option("--translate"),
        "-bs": .option("--beam-size"),
        "-bo": .option("--best-of"),
        "-tp": .option("--temperature"),
        "-tpi --temperature-inc": .value(increment),
        "-nf --no-fallback": .arguments("--temperature=0"),
        "-nth --no-speech-thold": .option("--no-speech-threshold"),
        "-lpt --logprob-thold": .option("--log-probability-threshold"),
        "-et --entropy-thold": .value { _ in .refused(entropy) },
        "-mc --max-context": .value(context),
        "-ac --audio-ctx": .value(audioContext),
        "-p --processors": .value(processors),

        "-ot --offset-t": .value { milliseconds($0, "--offset") },
        "-d": .value { milliseconds($0, "--duration") },
        "-on --offset-n": .value { _ in .refused("Use --offset 1:30 to skip the beginning.") },
        "-dl --detect-language": .refused("To detect the language, run: steno detect-language talk.wav"),

        "-nt": .option("--no-timestamps"),
        "-np --no-prints": .option("--quiet"),
        "-pp --print-progress": .option("--log-progress"),
        "-pc": .flag(.ignored("Steno prints text without colours.")),
        "--print-confidence -ls --log-score": .refused(
            "Probabilities are in the JSON: --output-format json --word-timestamps"),
        "-ps --print-special": .refused("Special tokens are not printed; --output-format json has the tokens."),
        "-debug --debug-mode": .option("--verbose"),

        "-otxt --output-txt": .arguments("--output-format=txt"),
        "-osrt --output-srt": .arguments("--output-format=srt"),
        "-ovtt --output-vtt": .arguments("--output-format=vtt"),
        "-olrc --output-lrc": .arguments("--output-format=lrc"),
        "-oj --output-json": .arguments("--output-format=json"),
        "-ojf --output-json-full": .arguments("--output-format=json", "--word-timestamps"),
        "-ocsv --output-csv": .refused("Steno has no csv format. Use tsv: --output-format tsv"),
        "-owts --output-words": .refused("Word times for karaoke: --output-format vtt --karaoke"),
        "-of": .value { .refused("Give the whole name, such as --output \($0).srt") },
        "--output-file": .option("--output"),
        "-fp": .value { _ in .ignored("Steno draws no fonts.") },

        "-ml --max-len": .value(lineWidth),
        "-sow --split-on-word -sns --suppress-nst -kc --keep-context": .flag(.nothing),
        "-wt -dtw --dtw": .value { _ in .refused("Words with their times: --word-timestamps --output-format json") },
        "-di -tdrz --tinydiarize": .refused(speakerLabels),
        "--suppress-regex": .value { _ in .refused("Tokens are suppressed by number: --suppress-tokens 11,13") },
        "--grammar": .value { _ in .refused("Steno has no grammars; --initial-prompt and --hotwords guide the text.") },

        "-ng --no-gpu -nfa --no-flash-attn": .flag(.nothing),
        "-fa --flash-attn": .flag(.ignored("Attention is computed as fast as the processor can.")),
        "-oved": .value { _ in .ignored(processorOnly) },

        "--vad": .option("--vad-filter"),
        "-vm --vad-model": .value { _ in .ignored("The Silero network comes with Steno.") },
        "-vt": .option("--vad-threshold"),
        "-vspd --vad-min-speech-duration-ms": .option("--vad-min-speech"),
        "-vsd --vad-min-silence-duration-ms": .option("--vad-min-silence"),
        "-vmsd --vad-max-speech-duration-s": .option("--vad-max-speech"),
        "-vp --vad-speech-pad-ms": .option("--vad-speech-pad"),
        "-vo --vad-samples-overlap": .value { _ in
            .ignored("Speech is cut where the network finds pauses, without an overlap.")
        },

        "-c --capture": .value { _ in
            .refused("Name the device: --device NAME; steno live --list-devices has the names.")
        },
        "-sa": .value { _ in .refused("Name the file: --save-audio talk.wav") },
    ]

    private static let entropy = "Steno rejects repetitions by --compression-ratio-threshold, not by entropy."

    static func context(_ value: String) -> Habit.Answer {
        switch Int(value) {
        case 0?: .arguments(["--no-condition-on-previous-text"])
        case let tokens? where tokens < 0 || tokens >= 224: .nothing
        default: .refused("The context cannot be limited, only switched off: --no-condition-on-previous-text")
        }
    }

    static func audioContext(_ value: String) -> Habit.Answer {
        .arguments(["--audio-context=\(value == "0" ? "full" : value)"])
    }

    static func processors(_ value: String) -> Habit.Answer {
        value == "1" ? .nothing : .refused("A file is not divided among processors: use --threads \(value).")
    }

    /// `-ml 0`, the default, needs no argument; any other value limits subtitle lines.
    static func lineWidth(_ value: String) -> Habit.Answer {
        value == "0" ? .nothing : .arguments(["--max-line-width=\(value)"])
    }

    /// These options take milliseconds in whisper.cpp and seconds in Steno; ffmpeg users expect seconds from the same
    /// letters.
    static func milliseconds(_ value: String, _ option: String) -> Habit.Answer {
        guard let number = Int(value) else {
            return .refused("Give a whole number of milliseconds, or minutes and seconds with \(option) 1:30.")
        }
        let arguments = ["\(option)=\(Double(number) / 1000)"]
        switch number {
        case 0: return .nothing
        case 1..<100:
            return .noted(
                arguments, "\(value) is taken as milliseconds, as in whisper.cpp. Seconds: \(option) \(value)")
        default: return .arguments(arguments)
        }
    }
}
