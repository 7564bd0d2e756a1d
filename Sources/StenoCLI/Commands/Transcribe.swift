import ArgumentParser
import Steno
import StenoCommandLine

struct Transcribe: AsyncParsableCommand, ShortlyExplained {
    static let configuration = CommandConfiguration(
        commandName: "transcribe",
        abstract: "Transcribe audio files.",
        discussion: """
            The text goes to standard output, one segment per line, as soon as it is decoded; a terminal also shows \
            the progress. Steno reads WAV itself and all other audio and video formats with ffmpeg, if it is \
            installed. Standard input takes WAV, mp3, ogg, webm and whatever else ffmpeg reads from a pipe.

              steno transcribe talk.mp3                   print the text
              steno transcribe talk.mp3 -o talk.srt       write subtitles
              steno transcribe *.mp3 --output-dir texts   write a file for each recording
              steno transcribe film.mkv -o film.vtt --split-cues
              steno transcribe *.mp3 -f srt,json --output-dir texts --skip-existing
              steno transcribe interview.wav --language de --translate
              steno transcribe *.mp3 --batch-size 8 --output-dir texts
              steno transcribe meeting.mp3 --speakers auto
              steno transcribe talk.mp3 --offset 1:30 --duration 0:45
              steno transcribe call.wav --channels separate
              steno transcribe call.wav --initial-prompt "Kowalczyk, Nguyen, Steno"
              curl -s https://example.com/talk.mp3 | steno transcribe -
              find . -name '*.mp3' | steno transcribe --from-list - > transcripts.jsonl

            For several files, JSON on standard output is one line per file, beginning with its name. Ctrl-C and \
            SIGTERM keep the text decoded so far: it is printed, or written to talk.partial.srt.

            Exit codes: 0 success, 1 a file failed (the others are still processed), 64 wrong arguments, 66 no usable \
            model, 130 or 143 interrupted by Ctrl-C or SIGTERM.
            """)
    static let commonOptions = [
        "--model", "--language", "--translate", "--output", "--output-format", "--output-dir", "--skip-existing",
        "--force", "--timestamps", "--word-timestamps", "--speakers", "--split-cues", "--offset", "--duration",
        "--vad-filter", "--guards", "--batch-size", "--initial-prompt", "--threads", "--quiet", "--verbose",
    ]

    @Argument(help: .init("Audio or video files; - is standard input.", valueName: "file")) var files: [String] = []
    @OptionGroup(title: "Lists of recordings") var list: ListArguments
    @OptionGroup(title: "Model") var model: ModelArguments
    @OptionGroup(title: "Output") var output: OutputArguments
    @OptionGroup(title: "Subtitles") var subtitles: SubtitleArguments
    @OptionGroup(title: "Audio selection") var hearing: HearingArguments
    @OptionGroup(title: "Language and prompt") var speech: SpeechArguments
    @OptionGroup(title: "Decoding") var decoding: DecodingArguments
    @OptionGroup(title: "Word timestamps") var words: WordArguments
    @OptionGroup(title: "Voice activity") var voiceActivity: VoiceActivityArguments
    @OptionGroup(title: "Speakers") var speakers: SpeakerArguments
    @OptionGroup(title: "Hallucinations") var guards: GuardArguments

    func validate() throws {
        if let name = list.fromList {
            guard files.isEmpty else {
                throw ValidationError(
                    "--from-list \(name) already lists the recordings. Leave out \(files[0]), or put it on the list.")
            }
            try output.validateForList()
            try subtitles.validate([.json])
        } else {
            try Inputs.validate(files)
            try output.validate(files)
            try subtitles.validate(output.formats)
        }
        guard speakers.speakers != nil || speakers.separatesChannels || !output.formats.contains(.rttm) else {
            throw ValidationError("The format rttm needs speaker labels: add --speakers auto, or --channels separate.")
        }
        guard speakers.speakers == nil || !speakers.separatesChannels else {
            throw ValidationError(
                "--channels separate labels the text by channel, --speakers by voice: use one of them.")
        }
        try voiceActivity.validate(clips: hearing.selectsClips, isBatched: decoding.batchSize > 1)
    }

    func run() async throws {
        guard list.fromList == nil else { return try await runList() }
        let all = files.map(LocalFile.literal)
        let place = try Self.checkingArguments { try output.place(all, subtitles.options) }
        let options = try options()
        try await CommandRun.run { [model, output, subtitles, options, speakers, reading = hearing.reading] console in
            if output.logProgress { console.enableProgressLog() }
            if model.quiet { console.enableQuiet() }
            let files = output.skipExisting ? Self.missing(all, place, console) : all
            if files.isEmpty { return 0 }
            var options = options
            options.speakers = try speakers.options()
            let transcriber = try await model.load(console)
            options = options.fitting(transcriber.information)
            if speakers.separatesChannels { options = options.forOneChannel(of: transcriber.information) }
            let job = TranscriptionJob(
                transcriber: transcriber, options: options, output: output, subtitles: subtitles.options,
                reading: reading, separatesChannels: speakers.separatesChannels, place: place,
                namesFiles: all.count > 1, console: console)
            return try await job.transcribe(files)
        }
    }

    private func runList() async throws {
        let descriptor = try Self.checkingArguments { try list.open() }
        let options = try options()
        try await CommandRun.run { [model, speakers, reading = hearing.reading, recordings = list.recordings] console in
            let speakerOptions = try speakers.options()
            let (transcriber, located) = try await model.loadLocated(console)
            let options = ListOptions(
                decoding: options, speakers: speakerOptions, separatesChannels: speakers.separatesChannels,
                model: transcriber.information)
            let job = ListJob(
                transcriber: transcriber, model: located, options: options, reading: reading, recordings: recordings,
                console: console)
            return try await job.run(descriptor)
        }
    }

    /// The recordings that have no transcript yet.
    private static func missing(_ files: [String], _ place: TranscriptPlace, _ console: Console) -> [String] {
        let missing = files.filter { !place.hasAll(for: $0) }
        if missing.count < files.count {
            let count = files.count - missing.count
            console.remark("\(count) of \(files.count) recordings skipped: their transcripts exist")
        }
        return missing
    }

    func options() throws -> TranscriptionOptions {
        var options = TranscriptionOptions()
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
