import ArgumentParser
import Steno

/// `steno transcribe`: files in, text out.
struct Transcribe: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write down what is said in audio files.",
        discussion: """
            The text goes to standard output, one segment a line, as soon as it is decoded. On a terminal the progress \
            is shown beside it. WAV is read as it is; other formats are decoded by ffmpeg where it is installed.

              steno transcribe talk.wav
              steno transcribe talk.mp3 --output-format srt > talk.srt
              steno transcribe film.mkv --output-format vtt --split-cues > film.vtt
              steno transcribe *.mp3 --output-format all --output-dir transcripts
              steno transcribe interview.wav --language de --task translate
              steno transcribe *.mp3 --batch-size 8 --output-dir transcripts
              steno transcribe call.wav --initial-prompt "Kowalczyk, Nguyen, Steno"
              ffmpeg -i film.mkv -f wav - | steno transcribe -

            Exit codes: 0 all went well, 1 some file failed (the others are done), 64 wrong arguments, 130 interrupted.
            """)

    @Argument(help: ArgumentHelp("Audio files; - is a WAV file on standard input.", valueName: "file"))
    var files: [String]

    @OptionGroup(title: "Model") var model: ModelArguments
    @OptionGroup(title: "Output") var output: OutputArguments
    @OptionGroup(title: "Subtitles") var subtitles: SubtitleArguments
    @OptionGroup(title: "What is heard") var hearing: HearingArguments
    @OptionGroup(title: "What is decoded") var speech: SpeechArguments
    @OptionGroup(title: "How it is decoded") var decoding: DecodingArguments
    @OptionGroup(title: "Words") var words: WordArguments
    @OptionGroup(title: "Voice activity") var voiceActivity: VoiceActivityArguments
    @OptionGroup(title: "Guards") var guards: GuardArguments

    func validate() throws {
        try Inputs.validate(files)
        try output.validate(files)
        try subtitles.validate(output.formats)
        try voiceActivity.validate(clips: hearing.clipTimestamps != nil, isBatched: decoding.batchSize > 1)
    }

    func run() async throws {
        let destination = try Self.checkingArguments { try output.destination(files, subtitles.options) }
        let options = try options()
        try await CommandRun.run { [model, output, subtitles, files, options] console in
            if output.logProgress { console.enableProgressLog() }
            let transcriber = try await model.load(console)
            let job = TranscriptionJob(
                transcriber: transcriber, options: options, output: output, subtitles: subtitles.options,
                destination: destination, console: console)
            guard options.batchSize > 1, files.count > 1 else {
                return try await Inputs.forEach(files, console) { try await job.transcribe($0) }
            }
            return try await job.transcribeTogether(files)
        }
    }

    /// What was asked for, as the library takes it.
    func options() throws -> DecodingOptions {
        var options = DecodingOptions()
        try hearing.apply(to: &options)
        speech.apply(to: &options)
        decoding.apply(to: &options)
        words.apply(to: &options)
        subtitles.apply(to: &options)
        voiceActivity.apply(to: &options)
        guards.apply(to: &options)
        return options
    }
}
