import ArgumentParser
import Steno

/// `steno transcribe`: transcribes files.
struct Transcribe: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Transcribe audio files.",
        discussion: """
            The text goes to standard output, one segment per line, as soon as it is decoded; a terminal also shows \
            the progress. WAV is read natively; other formats are decoded by ffmpeg if it is installed.

              steno transcribe talk.wav
              steno transcribe talk.mp3 --output-format srt > talk.srt
              steno transcribe film.mkv --output-format vtt --split-cues > film.vtt
              steno transcribe *.mp3 --output-format all --output-dir transcripts
              steno transcribe interview.wav --language de --task translate
              steno transcribe *.mp3 --batch-size 8 --output-dir transcripts
              steno transcribe call.wav --initial-prompt "Kowalczyk, Nguyen, Steno"
              ffmpeg -i film.mkv -f wav - | steno transcribe -

            Exit codes: 0 success, 1 a file failed (the others are processed), 64 wrong arguments, 130 interrupted.
            """)

    @Argument(help: ArgumentHelp("Audio files; - is a WAV file on standard input.", valueName: "file"))
    var files: [String]

    @OptionGroup(title: "Model") var model: ModelArguments
    @OptionGroup(title: "Output") var output: OutputArguments
    @OptionGroup(title: "Subtitles") var subtitles: SubtitleArguments
    @OptionGroup(title: "Audio selection") var hearing: HearingArguments
    @OptionGroup(title: "Language and prompt") var speech: SpeechArguments
    @OptionGroup(title: "Decoding") var decoding: DecodingArguments
    @OptionGroup(title: "Word timestamps") var words: WordArguments
    @OptionGroup(title: "Voice activity") var voiceActivity: VoiceActivityArguments
    @OptionGroup(title: "Hallucinations") var guards: GuardArguments

    func validate() throws {
        try Inputs.validate(files)
        try output.validate(files)
        try subtitles.validate(output.formats)
        try voiceActivity.validate(clips: hearing.clipTimestamps != nil, isBatched: decoding.batchSize > 1)
    }

    func run() async throws {
        let destination = try Self.checkingArguments { try output.destination(files, subtitles.options) }
        let options = try options()
        try await CommandRun.run { [model, output, subtitles, files, options, track = hearing.audioTrack] console in
            if output.logProgress { console.enableProgressLog() }
            let transcriber = try await model.load(console)
            let job = TranscriptionJob(
                transcriber: transcriber, options: options, output: output, subtitles: subtitles.options,
                destination: destination, console: console, track: track)
            guard options.batchSize > 1, files.count > 1 else {
                return try await Inputs.forEach(files, console) { try await job.transcribe($0) }
            }
            return try await job.transcribeTogether(files)
        }
    }

    /// The requested options.
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
