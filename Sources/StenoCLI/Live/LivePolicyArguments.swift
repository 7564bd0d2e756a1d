import ArgumentParser
import Steno

/// When live text is decoded, shown and final.
struct LivePolicyArguments: ParsableArguments {
    private static let defaults = LiveOptions()

    @Option(name: .long, help: ArgumentHelp("The shortest time between two decodings.", valueName: "seconds"))
    var step = defaults.step
    @Option(name: .long, help: ArgumentHelp("The silence that ends an utterance.", valueName: "seconds"))
    var endpoint = defaults.endpoint
    @Option(name: .long, help: "How many decodings in a row must agree on a word before it is final.")
    var agreement = defaults.agreement
    @Option(
        name: .long,
        help: ArgumentHelp("How long before the end of the audio a final word must have ended.", valueName: "seconds"))
    var hold = defaults.hold
    @Option(
        name: .long,
        help: ArgumentHelp(
            "How probable the model must find a word that becomes final while somebody speaks.", valueName: "0…1"))
    var confidence = defaults.confidence
    @Option(
        name: .long, help: ArgumentHelp("How long a less probable word is held at most.", valueName: "seconds"))
    var patience = defaults.patience
    @Option(
        name: .long,
        help: ArgumentHelp(
            "How long before the end of the audio a new word must have ended to be shown.", valueName: "seconds"))
    var showAfter = defaults.showAfter
    @Option(
        name: .long,
        help: ArgumentHelp("The length from which on an utterance loses its beginning.", valueName: "seconds"))
    var trimAfter = defaults.trimAfter
    @Option(name: .long, help: "How many hypotheses an utterance's last decoding keeps.")
    var finalBeamSize = defaults.finalBeamSize
    @Option(name: .long, help: "How many tokens of what was said are given to the model as context.")
    var contextTokens = defaults.contextTokens
    @Option(name: .long, help: "What listens for speech: a small network, or the level against the noise.")
    var detector = defaults.detector
    @Flag(name: .customLong("no-guards"), help: "Keep text even where nobody can have said it.")
    var withoutGuards = false
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Leave out the quietest utterances when this much audio waits (default: never).", valueName: "seconds"))
    var shedAbove: Double?

    func apply(to options: inout LiveOptions) {
        options.step = step
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
