import ArgumentParser
import Steno
import StenoWhisper

struct SpeechArguments: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: .init(
            "Spoken language, as a code or a name, such as en; see steno languages (default: auto, detected).",
            valueName: "code"))
    var language: LanguageChoice?
    @Flag(help: "Detect the language of every window, for recordings in which it changes.") var multilingual = false
    @Option(help: "Transcribe, or translate into English.") var task = TranscriptionTask.transcribe
    @Flag(help: "Translate into English; short for --task translate.") var translate = false
    @Option(
        help: .init(
            "Prompt for the first window, or in batches for every window: the transcript follows its names, spelling "
                + "and style.", valueName: "text"))
    var initialPrompt: String?
    @Option(help: .init("Forced beginning of the text at the start of the audio.", valueName: "text"))
    var prefix: String?
    @Option(help: .init("Words to expect in every window, except the one with --prefix.", valueName: "text"))
    var hotwords: String?
    @Flag(name: .customLong("no-condition-on-previous-text"), help: "Do not use the preceding text as context.")
    var ignoresPreviousText = false
    @Option(parsing: .unconditional, help: "Drop the context after a window decoded above this temperature.")
    var promptResetOnTemperature = WhisperOptions().promptResetOnTemperature
    @Flag(help: "Decode without timestamps: one segment per window.") var withoutTimestamps = false

    func apply(to options: inout TranscriptionOptions) {
        options.language = language?.code
        options.whisper.multilingual = multilingual
        options.task = translate ? .translate : task
        options.prompt = initialPrompt
        options.whisper.prefix = prefix
        options.vocabulary = [String](hotwords: hotwords)
        options.whisper.promptResetOnTemperature = promptResetOnTemperature
        options.whisper.conditionOnPreviousText = !ignoresPreviousText
        options.whisper.withoutTimestamps = withoutTimestamps
    }
}
