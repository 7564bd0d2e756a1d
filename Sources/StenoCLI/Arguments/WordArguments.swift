import ArgumentParser
import Steno

/// Whether and how words get times of their own.
struct WordArguments: ParsableArguments {
    private static let defaults = DecodingOptions()

    @Flag(name: .long, help: "Find when each word was said; the JSON output has them.")
    var wordTimestamps = false
    @Option(
        name: .customLong("prepend-punctuations"),
        help: ArgumentHelp("Punctuation that belongs to the word after it.", valueName: "marks"))
    var prependedPunctuation = defaults.prependedPunctuation
    @Option(
        name: .customLong("append-punctuations"),
        help: ArgumentHelp("Punctuation that belongs to the word before it.", valueName: "marks"))
    var appendedPunctuation = defaults.appendedPunctuation
    @Option(
        name: .long,
        help: ArgumentHelp(
            "With word timestamps: skip suspect text with more silence than this around it.", valueName: "seconds"))
    var hallucinationSilenceThreshold: Double?

    func apply(to options: inout DecodingOptions) {
        options.wordTimestamps = wordTimestamps
        options.prependedPunctuation = prependedPunctuation
        options.appendedPunctuation = appendedPunctuation
        options.hallucinationSilenceThreshold = hallucinationSilenceThreshold
    }
}
