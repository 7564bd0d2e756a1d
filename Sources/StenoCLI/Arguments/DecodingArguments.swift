import ArgumentParser
import Steno
import StenoWhisper

/// Decoding options; the defaults are those of faster-whisper.
struct DecodingArguments: ParsableArguments {
    private static let defaults = WhisperOptions()

    @Option(help: "Beam size at temperature 0; 1 is greedy search.") var beamSize = defaults.beamSize
    @Option(help: "Number of samples drawn at a temperature above 0.") var bestOf = defaults.bestOf
    @Option(help: "Stop the beam search after beam size × patience finished hypotheses.")
    var patience = defaults.patience
    @Option(parsing: .unconditional, help: "Exponent of the length by which log probabilities are divided.")
    var lengthPenalty = defaults.lengthPenalty
    @Option(help: "Penalty on tokens that were already generated; 1 is off.")
    var repetitionPenalty = defaults.repetitionPenalty
    @Option(name: .customLong("no-repeat-ngram-size"), help: "Prevent n-grams of this size from repeating; 0 is off.")
    var noRepeatNGramSize = defaults.noRepeatNGramSize
    @Option(
        help: .init(
            "Temperatures tried in turn while a window's text fails the quality thresholds; a list or repeated.",
            valueName: "t,..."))
    var temperature = [CommaSeparated(defaults.temperatures)]
    @Option(help: .init("Reject text with a higher compression ratio.", valueName: "ratio|none"))
    var compressionRatioThreshold = Threshold(defaults.compressionRatioThreshold)
    @Option(
        parsing: .unconditional, help: .init("Reject text with a lower mean log probability.", valueName: "number|none")
    )
    var logProbabilityThreshold = Threshold(defaults.logProbabilityThreshold)
    @Option(
        help: .init(
            "Drop text below the log probability threshold when the no-speech probability is above this.",
            valueName: "number|none"))
    var noSpeechThreshold = Threshold(defaults.noSpeechThreshold)
    @Flag(help: "Decode digital silence, and keep doubtful text of files without any speech, as faster-whisper does.")
    var decodeSilence = false
    @Option(
        parsing: .unconditional,
        help: .init("Tokens that are never generated; -1 stands for the non-speech symbols.", valueName: "id,..."))
    var suppressTokens = CommaSeparated(defaults.suppressTokens)
    @Flag(name: .customLong("no-suppress-blank"), help: "Allow a window to begin with a blank or with the end of text.")
    var allowsBlank = false
    @Option(help: .init("Latest start of a window's first segment.", valueName: "time"))
    var maxInitialTimestamp = Seconds(defaults.maxInitialTimestamp)
    @Option(
        help: .init(
            "Number of windows decoded in one batch, from one file or several: faster, but windows do not use each "
                + "other's text as context. Of a whole recording, only detected speech is decoded.", valueName: "n"))
    var batchSize = TranscriptionOptions().batchSize
    @Option(help: "Maximum number of tokens per window (default: the model's limit).") var maxNewTokens: Int?
    @Option(help: .init("Random seed for sampling above temperature 0, from 0.", valueName: "n"))
    var seed = defaults.seed
    @Option(
        help: .init(
            "How much of the 30 s window is encoded: full, auto (the length of the audio), or a number of 20 ms "
                + "positions.", valueName: "full|auto|n"))
    var audioContext = defaults.audioContext

    func apply(to options: inout TranscriptionOptions) {
        options.whisper.beamSize = beamSize
        options.whisper.bestOf = bestOf
        options.whisper.patience = patience
        options.whisper.lengthPenalty = lengthPenalty
        options.whisper.repetitionPenalty = repetitionPenalty
        options.whisper.noRepeatNGramSize = noRepeatNGramSize
        options.whisper.temperatures = temperature.flatMap(\.values)
        options.whisper.compressionRatioThreshold = compressionRatioThreshold.value
        options.whisper.logProbabilityThreshold = logProbabilityThreshold.value
        options.whisper.noSpeechThreshold = noSpeechThreshold.value
        options.whisper.skipsSilence = !decodeSilence
        options.whisper.suppressTokens = suppressTokens.values
        options.whisper.suppressBlank = !allowsBlank
        options.whisper.maxInitialTimestamp = maxInitialTimestamp.value
        options.batchSize = batchSize
        options.whisper.maxNewTokens = maxNewTokens
        options.whisper.seed = seed
        options.whisper.audioContext = audioContext
    }
}

struct WordArguments: ParsableArguments {
    private static let defaults = WhisperOptions()

    @Flag(help: "Add the start and end of each word to the JSON output.") var wordTimestamps = false
    @Option(
        name: .customLong("prepend-punctuations"),
        help: .init("Punctuation that belongs to the word after it.", valueName: "marks"))
    var prependedPunctuation = defaults.prependedPunctuation
    @Option(
        name: .customLong("append-punctuations"),
        help: .init("Punctuation that belongs to the word before it.", valueName: "marks"))
    var appendedPunctuation = defaults.appendedPunctuation
    @Option(
        help: .init(
            "With word timestamps: skip suspected hallucinations surrounded by more silence than this.",
            valueName: "time"))
    var hallucinationSilenceThreshold: Seconds?

    func apply(to options: inout TranscriptionOptions) {
        options.wordTimestamps = wordTimestamps
        options.whisper.prependedPunctuation = prependedPunctuation
        options.whisper.appendedPunctuation = appendedPunctuation
        options.whisper.hallucinationSilenceThreshold = hallucinationSilenceThreshold?.value
    }
}

struct GuardArguments: ParsableArguments {
    @Flag(
        name: .long,
        help: """
            Remove hallucinations: repetition loops, text without speech, and repetitions of the prompt or of earlier \
            text. Implies word timestamps. steno transcribe lists what was removed, in JSON and with \
            --verbose.
            """)
    var guards = false

    func apply(to options: inout TranscriptionOptions) { options.whisper.guards = guards ? GuardOptions() : nil }
}
