import ArgumentParser
import Steno
import StenoCommandLine

struct Live: AsyncParsableCommand, ShortlyExplained {
    static let configuration = CommandConfiguration(
        commandName: "live",
        abstract: "Transcribe live audio.",
        discussion: """
            Transcribes the microphone until Ctrl-C, which still finishes the last words; a second one ends at once. \
            On a terminal, partial text is underlined until it is final, and the status line shows the level, and the \
            lag if the machine cannot keep up. On a pipe, each utterance is a line of text, written when it becomes \
            final; --format jsonl writes every event as JSON. Steno saves nothing unless you pass --save, --save-audio \
            (which do not replace existing files without --force) or --save-history (see steno history).

              steno live
              steno live --language de --translate
              steno live --save meeting.txt --save meeting.srt --save-audio meeting.wav
              steno live --input talk.mp3 --format vtt
              steno live > notes.txt
              arecord -q -f S16_LE -r 16000 -t wav - | steno live --input - --format jsonl

            Exit codes: 0 the audio ended or was stopped with Ctrl-C, SIGTERM or by closing the terminal, 1 failure, \
            64 wrong arguments, 66 no usable model, 128 + n ended at once by signal n.
            """)
    static let commonOptions = [
        "--language", "--translate", "--save", "--save-audio", "--force", "--save-history", "--input", "--device",
        "--list-devices", "--format", "--speakers", "--hotwords", "--model", "--threads", "--verbose",
    ]

    @OptionGroup(title: "Input and output") var arguments: LiveArguments
    @OptionGroup(title: "Language and vocabulary") var speech: LiveSpeechArguments
    @OptionGroup(title: "Model") var model: ModelArguments
    @OptionGroup(title: "Speakers") var speakers: LiveSpeakerArguments
    @OptionGroup(title: "Latency and stability") var policy: LivePolicyArguments
    @OptionGroup(title: "Experts") var experts: LiveExpertArguments

    func validate() throws { try experts.validate(arguments.pace) }

    func run() async throws {
        var options = LiveOptions()
        speech.apply(to: &options)
        policy.apply(to: &options)
        options.speakers = try speakers.options()
        try Self.checkingArguments { [options, arguments] in
            try options.validate()
            if !arguments.listDevices { try arguments.checkOutputs() }
        }
        try await CommandRun.run { [model, arguments, options, experts] console in
            guard !arguments.listDevices else { return try await Self.listDevices(console) }
            let (transcriber, located) = try await model.loadLocated(console)
            let engine = try ModelEngine(
                model: transcriber.model, options: options, pace: arguments.enginePace(charge: experts.charge))
            let language = options.language.map { Languages.code(for: $0) ?? $0 }
            let job = LiveJob(
                engine: engine, source: arguments.source, format: arguments.format,
                isRealTime: arguments.pace == .realtime, recorder: try arguments.makeRecorder(),
                transcript: try arguments.makeTranscriptWriter(language: language),
                history: arguments.makeHistory(language: language, model: located.name), console: console)
            return try await job.run()
        }
    }

    private static func listDevices(_ console: Console) async throws -> Int32 {
        for device in try await CaptureDevice.all() {
            let notes = [device.isDefault ? "default" : nil, device.isMonitor ? "computer output" : nil]
            let note = notes.compactMap(\.self).joined(separator: ", ")
            console.print("\(device.id)\t\(device.name)\(note.isEmpty ? "" : " (\(note))")\n")
        }
        return 0
    }
}

struct LiveSpeechArguments: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: .init(
            "Spoken language, as a code or a name; see steno languages (default: auto, detected).", valueName: "code"))
    var language: LanguageChoice?
    @Flag(help: "Detect the language of every utterance.") var switchLanguage = false
    @Flag(help: "Translate into English; text becomes final only at the end of an utterance.") var translate = false
    @Option(help: .init("Words to expect, such as names.", valueName: "text")) var hotwords: String?
    @Option(help: .init("Prompt for the first utterance: the text follows its spelling and style.", valueName: "text"))
    var initialPrompt: String?

    func validate() throws {
        guard !switchLanguage || language?.code == nil else {
            throw ValidationError("--switch-language detects the language: leave out --language.")
        }
    }

    func apply(to options: inout LiveOptions) {
        options.language = language?.code
        options.switchesLanguage = switchLanguage
        options.task = translate ? .translate : .transcribe
        options.vocabulary = [String](hotwords: hotwords)
        options.prompt = initialPrompt
    }
}

struct LiveSpeakerArguments: ParsableArguments {
    @Flag(help: "Label the speakers in final text; enrolled voices (steno speakers) get their names.")
    var speakers = false

    /// The options, with the enrolled voices; nil if speakers are not labelled.
    func options() throws -> SpeakerOptions? {
        guard speakers else { return nil }
        var options = SpeakerOptions()
        options.profiles = try SpeakerProfileFile.standard().profiles()
        return options
    }
}
