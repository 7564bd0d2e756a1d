import ArgumentParser
import Steno

/// When live text is decoded, when it is shown, and when it becomes final.
struct LivePolicyArguments: ParsableArguments {
    private static let defaults = LiveOptions()

    @Option(help: "When words become final: soonest, balanced, or accurate (at the end of an utterance, as in a file).")
    var balance = defaults.balance
    @Option(help: .init("Minimum time between two decodings.", valueName: "time")) var step = Seconds(defaults.step)
    @Option(
        help: .init(
            "Silence after which the preceding words become final while the utterance continues.", valueName: "time"))
    var pause = Seconds(defaults.pause)
    @Option(help: .init("Silence that ends an utterance.", valueName: "time")) var endpoint = Seconds(defaults.endpoint)
    @Option(help: .init("Show a new word only this long after its end.", valueName: "time"))
    var showAfter = Seconds(defaults.showAfter)
    @Option(
        help: .init(
            "Once an utterance is longer than this, stop decoding its final beginning again.", valueName: "time"))
    var trimAfter = Seconds(defaults.trimAfter)
    @Option(help: "Beam size for decoding that decides which words are final.")
    var finalBeamSize = defaults.finalBeamSize
    @Option(help: "Number of tokens of preceding text used as context.") var contextTokens = defaults.contextTokens
    @Option(help: "Speech detector: a small neural network, or the level above the noise.")
    var detector = defaults.detector
    @Flag(name: .customLong("no-guards"), help: "Do not remove hallucinations.") var withoutGuards = false
    @Option(
        help: .init(
            "Skip the quietest utterances when more audio than this waits for decoding (default: never).",
            valueName: "time"))
    var shedAbove: Seconds?

    func apply(to options: inout LiveOptions) {
        options.balance = balance
        options.step = step.value
        options.pause = pause.value
        options.endpoint = endpoint.value
        options.showAfter = showAfter.value
        options.trimAfter = trimAfter.value
        options.longestUtterance = max(options.longestUtterance, trimAfter.value)
        options.finalBeamSize = finalBeamSize
        options.contextTokens = contextTokens
        options.detector = detector
        options.guards = withoutGuards ? nil : options.guards
        options.sheddingLag = shedAbove?.value
    }
}
