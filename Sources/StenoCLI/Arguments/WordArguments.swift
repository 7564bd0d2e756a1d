import ArgumentParser
import Steno
import StenoWhisper

/// Word timestamps.
struct WordArguments: ParsableArguments {
    private static let defaults = WhisperOptions()

    @Flag(name: .long, help: "Add the start and end of each word to the JSON output.")
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
