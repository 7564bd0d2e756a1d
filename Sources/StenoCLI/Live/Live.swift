import ArgumentParser
import Foundation
import Steno

/// `steno live`: sound in, text while it is spoken.
struct Live: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write down what is said while it is said.",
        discussion: """
            Listens to the microphone until Ctrl-C, which still writes the last words. On a terminal, final text flows \
            and what may still change is underlined; the line below shows the level and, when the machine cannot keep \
            up, how far the text is behind. On a pipe, every event is a line of JSON. Nothing is kept unless you ask.

              steno live
              steno live --language de --translate
              steno live --save meeting.txt --save meeting.srt --save-audio meeting.wav
              steno live --input talk.mp3 --format vtt
              arecord -q -f S16_LE -r 16000 -t wav - | steno live --input -

            Exit codes: 0 the sound ended or you ended it, 1 it failed, 64 wrong arguments.
            """)

    @OptionGroup(title: "Sound and text") var arguments: LiveArguments
    @OptionGroup(title: "What is said") var speech: LiveSpeechArguments
    @OptionGroup(title: "Model") var model: ModelArguments
    @OptionGroup(title: "When text is decoded, shown and final") var policy: LivePolicyArguments

    func run() async throws {
        var options = LiveOptions()
        speech.apply(to: &options)
        policy.apply(to: &options)
        try Self.checkingArguments { [options] in try options.validate() }
        try await CommandRun.run { [model, arguments, options] console in
            guard !arguments.listDevices else { return try await Self.listDevices(console) }
            let keeper = try LiveKeeper(files: arguments.save, audio: arguments.saveAudio, language: options.language)
            let transcriber = try await model.load(console)
            let engine = try ModelEngine(
                model: transcriber.model, options: options, pace: arguments.enginePace)
            let job = LiveJob(
                engine: engine, source: arguments.source, output: LiveOutputs.make(arguments.resolvedFormat, console),
                keeper: keeper, console: console)
            return try await job.run()
        }
    }

    private static func listDevices(_ console: Console) async throws -> Int32 {
        for device in try await CaptureDevices.list() {
            let notes = [device.isDefault ? "default" : nil, device.isMonitor ? "what the computer plays" : nil]
            let note = notes.compactMap(\.self).joined(separator: ", ")
            console.print("\(device.id)\t\(device.name)\(note.isEmpty ? "" : " (\(note))")\n")
        }
        return 0
    }
}

/// The language, and what to expect.
struct LiveSpeechArguments: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("The language spoken, as a code or a name (default: detected).", valueName: "code"))
    var language: String?
    @Flag(name: .long, help: "Let every utterance be in another language.")
    var switchLanguage = false
    @Flag(name: .long, help: "Translate into English; text then becomes final at the end of each utterance.")
    var translate = false
    @Option(name: .long, help: ArgumentHelp("Words to expect, such as names.", valueName: "text"))
    var hotwords: String?
    @Option(
        name: .long,
        help: ArgumentHelp("Text that seems to have been said before: spelling and style follow it.", valueName: "text")
    )
    var initialPrompt: String?

    func validate() throws {
        guard !switchLanguage || language == nil else {
            throw ValidationError("--switch-language finds the language itself: leave --language out.")
        }
    }

    func apply(to options: inout LiveOptions) {
        options.language = language
        options.switchesLanguage = switchLanguage
        options.task = translate ? .translate : .transcribe
        options.hotwords = hotwords
        options.initialPrompt = initialPrompt
    }
}
