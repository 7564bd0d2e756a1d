import ArgumentParser
import Steno

/// How the text is searched; the defaults are those of faster-whisper.
struct DecodingArguments: ParsableArguments {
    private static let defaults = DecodingOptions()

    @Option(name: .long, help: "How many hypotheses are kept at temperature 0; 1 is greedy.")
    var beamSize = defaults.beamSize
    @Option(name: .long, help: "How many samples are drawn at a temperature above 0.")
    var bestOf = defaults.bestOf
    @Option(name: .long, help: "Search until beam size × patience hypotheses are finished.")
    var patience = defaults.patience
    @Option(name: .long, parsing: .unconditional, help: "The exponent of the length that divides a log probability.")
    var lengthPenalty = defaults.lengthPenalty
    @Option(name: .long, help: "Makes tokens already written less probable; 1 is off.")
    var repetitionPenalty = defaults.repetitionPenalty
    @Option(name: .customLong("no-repeat-ngram-size"), help: "Forbids n-grams of this size to come twice; 0 is off.")
    var noRepeatNGramSize = defaults.noRepeatNGramSize

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Temperatures tried in turn while a window's text looks bad; a list, or the option several times.",
            valueName: "t,…"))
    var temperature = [CommaSeparated(defaults.temperatures)]
    @Option(
        name: .long, help: ArgumentHelp("Text that compresses better than this looks bad.", valueName: "ratio|none"))
    var compressionRatioThreshold = Threshold(defaults.compressionRatioThreshold)
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("A mean log probability below this looks bad.", valueName: "number|none"))
    var logProbabilityThreshold = Threshold(defaults.logProbabilityThreshold)
    @Option(
        name: .long,
        help: ArgumentHelp("Above this probability of silence, improbable text is dropped.", valueName: "number|none"))
    var noSpeechThreshold = Threshold(defaults.noSpeechThreshold)

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Tokens never written; -1 is the model's list of symbols.", valueName: "id,…"))
    var suppressTokens = CommaSeparated(defaults.suppressTokens)
    @Flag(name: .customLong("no-suppress-blank"), help: "Allow empty text and text that begins with a space token.")
    var allowsBlank = false
    @Option(name: .long, help: "The latest start of a window's first segment, in seconds.")
    var maxInitialTimestamp = defaults.maxInitialTimestamp
    @Option(
        name: .long,
        help: ArgumentHelp(
            "How many windows are decoded in parallel, of one file or of several: faster, each without the text of the "
                + "others. Without --clip-timestamps, only what sounds like speech is decoded.", valueName: "n"))
    var batchSize = defaults.batchSize
    @Option(name: .long, help: "The most tokens a window gets (default: the model's limit).")
    var maxNewTokens: Int?
    @Option(name: .long, help: "The seed of the random numbers above temperature 0.")
    var seed = defaults.seed
    @Option(
        name: .long,
        help: ArgumentHelp(
            "How much of the 30 s window is encoded: full, auto (the audio that is there), or positions of 20 ms.",
            valueName: "full|auto|n"))
    var audioContext = defaults.audioContext

    func apply(to options: inout DecodingOptions) {
        options.beamSize = beamSize
        options.bestOf = bestOf
        options.patience = patience
        options.lengthPenalty = lengthPenalty
        options.repetitionPenalty = repetitionPenalty
        options.noRepeatNGramSize = noRepeatNGramSize
        options.temperatures = temperature.flatMap(\.values)
        options.compressionRatioThreshold = compressionRatioThreshold.value
        options.logProbabilityThreshold = logProbabilityThreshold.value
        options.noSpeechThreshold = noSpeechThreshold.value
        options.suppressTokens = suppressTokens.values
        options.suppressBlank = !allowsBlank
        options.maxInitialTimestamp = maxInitialTimestamp
        options.batchSize = batchSize
        options.maxNewTokens = maxNewTokens
        options.seed = seed
        options.audioContext = audioContext
    }
}
