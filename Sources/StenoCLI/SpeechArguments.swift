import ArgumentParser
import Steno

/// What is said, and what becomes of it.
struct SpeechArguments: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The language spoken, as a code or a name, such as en (default: detected).", valueName: "code"))
    var language: String?

    @Option(name: .long, help: "Write what is said, or translate it into English.")
    var task = TranscriptionTask.transcribe

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Text that seems to have been said before: names, spelling and style follow it.", valueName: "text"))
    var initialPrompt: String?

    @Flag(name: .customLong("no-condition-on-previous-text"), help: "Decode each window without the text before it.")
    var ignoresPreviousText = false

    @Flag(name: .long, help: "Decode without timestamps: one segment a window.")
    var withoutTimestamps = false

    func apply(to options: inout DecodingOptions) {
        options.language = language
        options.task = task
        options.initialPrompt = initialPrompt
        options.conditionOnPreviousText = !ignoresPreviousText
        options.withoutTimestamps = withoutTimestamps
    }
}
