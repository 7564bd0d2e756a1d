extension Habits {
    /// whisper.cpp's `whisper-cli` and `whisper-stream`; long options of a single word are in the other tables.
    static let whisperCPP: [String: Habit] = [
        "-tr": .option("--translate"),
        "-bs": .option("--beam-size"),
        "-bo": .option("--best-of"),
        "-tp": .option("--temperature"),
        "-tpi": .value(increment),
        "--temperature-inc": .value(increment),
        "-nf": .arguments("--temperature=0"),
        "--no-fallback": .arguments("--temperature=0"),
        "-nth": .option("--no-speech-threshold"),
        "--no-speech-thold": .option("--no-speech-threshold"),
        "-lpt": .option("--log-probability-threshold"),
        "--logprob-thold": .option("--log-probability-threshold"),
        "-et": .value { _ in .refused(entropy) },
        "--entropy-thold": .value { _ in .refused(entropy) },
        "-mc": .value(context),
        "--max-context": .value(context),
        "-ac": .value(audioContext),
        "--audio-ctx": .value(audioContext),
        "-p": .value(processors),
        "--processors": .value(processors),

        "-ot": .value { milliseconds($0, "--offset") },
        "--offset-t": .value { milliseconds($0, "--offset") },
        "-d": .value { milliseconds($0, "--duration") },
        "-on": .value { _ in .refused("Use --offset 1:30 to skip the beginning.") },
        "--offset-n": .value { _ in .refused("Use --offset 1:30 to skip the beginning.") },
        "-dl": .refused("Detecting the language is a command of its own: steno detect-language talk.wav"),
        "--detect-language": .refused(
            "Detecting the language is a command of its own: steno detect-language talk.wav"),

        "-nt": .option("--no-timestamps"),
        "-np": .option("--quiet"),
        "--no-prints": .option("--quiet"),
        "-pp": .option("--log-progress"),
        "--print-progress": .option("--log-progress"),
        "-pc": .flag(.ignored("Steno prints text without colours.")),
        "--print-confidence": .refused("Probabilities are in the JSON: --output-format json --word-timestamps"),
        "-ps": .refused("Special tokens are not printed; --output-format json has the tokens."),
        "--print-special": .refused("Special tokens are not printed; --output-format json has the tokens."),
        "-ls": .refused("Probabilities are in the JSON: --output-format json --word-timestamps"),
        "--log-score": .refused("Probabilities are in the JSON: --output-format json --word-timestamps"),
        "-debug": .option("--verbose"),
        "--debug-mode": .option("--verbose"),

        "-otxt": .arguments("--output-format=txt"),
        "--output-txt": .arguments("--output-format=txt"),
        "-osrt": .arguments("--output-format=srt"),
        "--output-srt": .arguments("--output-format=srt"),
        "-ovtt": .arguments("--output-format=vtt"),
        "--output-vtt": .arguments("--output-format=vtt"),
        "-olrc": .arguments("--output-format=lrc"),
        "--output-lrc": .arguments("--output-format=lrc"),
        "-oj": .arguments("--output-format=json"),
        "--output-json": .arguments("--output-format=json"),
        "-ojf": .arguments("--output-format=json", "--word-timestamps"),
        "--output-json-full": .arguments("--output-format=json", "--word-timestamps"),
        "-ocsv": .refused("There is no csv, but tsv: --output-format tsv"),
        "--output-csv": .refused("There is no csv, but tsv: --output-format tsv"),
        "-owts": .refused("Word times for karaoke: --output-format vtt --karaoke"),
        "--output-words": .refused("Word times for karaoke: --output-format vtt --karaoke"),
        "-of": .value { .refused("Give the whole name, such as --output \($0).srt") },
        "--output-file": .option("--output"),
        "-fp": .value { _ in .ignored("Steno draws no fonts.") },

        "-ml": .value(lineWidth),
        "--max-len": .value(lineWidth),
        "-sow": .flag(.nothing),
        "--split-on-word": .flag(.nothing),
        "-wt": .value { _ in .refused("Words with their times: --word-timestamps --output-format json") },
        "-dtw": .value { _ in .refused("Words with their times: --word-timestamps --output-format json") },
        "--dtw": .value { _ in .refused("Words with their times: --word-timestamps --output-format json") },
        "-di": .refused(speakerLabels),
        "-tdrz": .refused(speakerLabels),
        "--tinydiarize": .refused(speakerLabels),
        "-sns": .flag(.nothing),
        "--suppress-nst": .flag(.nothing),
        "--suppress-regex": .value { _ in .refused("Tokens are suppressed by number: --suppress-tokens 11,13") },
        "--grammar": .value { _ in .refused("Steno has no grammars; --initial-prompt and --hotwords guide the text.") },

        "-ng": .flag(.nothing),
        "--no-gpu": .flag(.nothing),
        "-fa": .flag(.ignored("Attention is computed as fast as the processor can.")),
        "--flash-attn": .flag(.ignored("Attention is computed as fast as the processor can.")),
        "-nfa": .flag(.nothing),
        "--no-flash-attn": .flag(.nothing),
        "-oved": .value { _ in .ignored(processorOnly) },

        "--vad": .option("--vad-filter"),
        "-vm": .value { _ in .ignored("The Silero network comes with Steno.") },
        "--vad-model": .value { _ in .ignored("The Silero network comes with Steno.") },
        "-vt": .option("--vad-threshold"),
        "-vspd": .option("--vad-min-speech"),
        "--vad-min-speech-duration-ms": .option("--vad-min-speech"),
        "-vsd": .option("--vad-min-silence"),
        "--vad-min-silence-duration-ms": .option("--vad-min-silence"),
        "-vmsd": .option("--vad-max-speech"),
        "--vad-max-speech-duration-s": .option("--vad-max-speech"),
        "-vp": .option("--vad-speech-pad"),
        "--vad-speech-pad-ms": .option("--vad-speech-pad"),
        "-vo": .value { _ in .ignored("Speech is cut where the network finds pauses, without an overlap.") },
        "--vad-samples-overlap": .value { _ in
            .ignored("Speech is cut where the network finds pauses, without an overlap.")
        },

        "-c": .value { _ in .refused("Name the device: --device NAME; steno live --list-devices has the names.") },
        "--capture": .value { _ in .refused("Name the device: --device NAME; steno live --list-devices has the names.")
        },
        "-sa": .value { _ in .refused("Name the file: --save-audio talk.wav") },
        "-kc": .flag(.nothing),
        "--keep-context": .flag(.nothing),
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

    /// Of `-ml 0`, the default, nothing is left; other limits are those of subtitle lines.
    static func lineWidth(_ value: String) -> Habit.Answer {
        value == "0" ? .nothing : .arguments(["--max-line-width=\(value)"])
    }

    /// whisper.cpp counts milliseconds where Steno counts seconds; users of ffmpeg expect seconds of the same letters.
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
