import ArgumentParser
import Steno

/// What is said, and what becomes of it.
struct SpeechArguments: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The language spoken, as a code or a name, such as en (default: detected).", valueName: "code"))
    var language: String?

    @Flag(name: .long, help: "Detect the language of every window anew, for sounds in which it changes.")
    var multilingual = false

    @Option(name: .long, help: "Write what is said, or translate it into English.")
    var task = TranscriptionTask.transcribe

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Text that seems to have been said before: names, spelling and style follow it.", valueName: "text"))
    var initialPrompt: String?

    @Option(name: .long, help: ArgumentHelp("Text the first window must begin with.", valueName: "text"))
    var prefix: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Words to expect in every window; ignored with a prefix.", valueName: "text"))
    var hotwords: String?

    @Flag(name: .customLong("no-condition-on-previous-text"), help: "Decode each window without the text before it.")
    var ignoresPreviousText = false

    @Option(
        name: .long, parsing: .unconditional,
        help: "A window decoded above this temperature is not context for the next.")
    var promptResetOnTemperature = DecodingOptions().promptResetOnTemperature

    @Flag(name: .long, help: "Decode without timestamps: one segment a window.")
    var withoutTimestamps = false

    func apply(to options: inout DecodingOptions) {
        options.language = language
        options.multilingual = multilingual
        options.task = task
        options.initialPrompt = initialPrompt
        options.prefix = prefix
        options.hotwords = hotwords
        options.promptResetOnTemperature = promptResetOnTemperature
        options.conditionOnPreviousText = !ignoresPreviousText
        options.withoutTimestamps = withoutTimestamps
    }
}
