import ArgumentParser
import Steno

/// When live text is decoded, shown and becomes final.
struct LivePolicyArguments: ParsableArguments {
    private static let defaults = LiveOptions()

    @Option(name: .long, help: ArgumentHelp("Minimum time between two decodings.", valueName: "seconds"))
    var step = defaults.step
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Silence after which the words before it are final, while the utterance continues.", valueName: "seconds"))
    var pause = defaults.pause
    @Option(name: .long, help: ArgumentHelp("Silence that ends an utterance.", valueName: "seconds"))
    var endpoint = defaults.endpoint
    @Option(name: .long, help: "Number of consecutive decodings that must agree on a word before it is final.")
    var agreement = defaults.agreement
    @Option(
        name: .long,
        help: ArgumentHelp(
            "A word becomes final only if it ended this long before the end of the audio.", valueName: "seconds"))
    var hold = defaults.hold
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Minimum probability of a word that becomes final before the utterance ends.", valueName: "0..1"))
    var confidence = defaults.confidence
    @Option(
        name: .long, help: ArgumentHelp("Maximum time a less probable word is held back.", valueName: "seconds"))
    var patience = defaults.patience
    @Option(
        name: .long,
        help: ArgumentHelp(
            "A new word is shown only if it ended this long before the end of the audio.", valueName: "seconds"))
    var showAfter = defaults.showAfter
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Length above which the final beginning of an utterance is no longer decoded.", valueName: "seconds"))
    var trimAfter = defaults.trimAfter
    @Option(name: .long, help: "Beam size of the last decoding of an utterance.")
    var finalBeamSize = defaults.finalBeamSize
    @Option(name: .long, help: "Number of tokens of preceding text used as context.")
    var contextTokens = defaults.contextTokens
    @Option(name: .long, help: "Speech detector: a small neural network, or the level above the noise.")
    var detector = defaults.detector
    @Flag(name: .customLong("no-guards"), help: "Do not remove hallucinations.")
    var withoutGuards = false
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Skip the quietest utterances when more audio than this waits for decoding (default: never).",
            valueName: "seconds"))
    var shedAbove: Double?

    func apply(to options: inout LiveOptions) {
        options.step = step
        options.pause = pause
        options.endpoint = endpoint
        options.agreement = agreement
        options.hold = hold
        options.confidence = confidence
        options.patience = patience
        options.showAfter = showAfter
        options.trimAfter = trimAfter
        options.longestUtterance = max(options.longestUtterance, trimAfter)
        options.finalBeamSize = finalBeamSize
        options.contextTokens = contextTokens
        options.detector = detector
        options.guards = withoutGuards ? nil : options.guards
        options.sheddingLag = shedAbove
    }
}
