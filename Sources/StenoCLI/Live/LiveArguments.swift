import ArgumentParser
import Foundation
import Steno
import StenoCommandLine

struct LiveArguments: ParsableArguments {
    @Option(
        help: .init(
            "mic for the microphone, - for standard input (WAV, or any format ffmpeg reads), or a file.",
            valueName: "mic|-|file"))
    var input = "mic"
    @Option(help: .init("Capture from this device; see --list-devices.", valueName: "name")) var device: String?
    @Flag(help: "List the capture devices and exit.") var listDevices = false
    @Option(
        help: .init(
            "text (one line per utterance), jsonl (every event as a line of JSON) or vtt (subtitles).",
            valueName: "text|jsonl|vtt"))
    var format = LiveFormat.text
    @Option(
        help: .init(
            "For files: realtime reads at the speed of speech; fast reads at full speed and gives reproducible "
                + "output, as if decoding took no time; measured is like fast, but counts the measured decoding time.",
            valueName: "realtime|fast|measured"))
    var pace = InputPace.realtime
    @Option(
        help: .init(
            "Also write the transcript to a .txt, .srt, .vtt, .lrc, .json, .tsv or .rttm file, which is always "
                + "complete; may be repeated.", valueName: "file"))
    var save: [String] = []
    @Option(help: .init("Also record the audio to a WAV file.", valueName: "file")) var saveAudio: String?
    @Flag(help: "Also save the text in your history; see steno history.") var saveHistory = false
    @Option(help: .init("Title of the session in the history.", valueName: "text")) var title: String?
    @Flag(help: "Let --save and --save-audio replace existing files (never the input).") var force = false

    func validate() throws {
        guard input == "mic" || device == nil else {
            throw ValidationError("--device is for microphones: leave out --input.")
        }
        guard input != "mic" || pace == .realtime else {
            throw ValidationError("--pace is for files: leave it out with a microphone.")
        }
        for file in save {
            do {
                _ = try TranscriptFormat(file: LocalFile.url(file))
            } catch {
                throw ValidationError("--save \(error.sentence)")
            }
        }
        if let saveAudio, !["wav", "wave"].contains(LocalFile.url(saveAudio).pathExtension.lowercased()) {
            throw ValidationError("--save-audio \(saveAudio): audio is recorded as WAV, so name it talk.wav.")
        }
        guard title == nil || saveHistory else { throw ValidationError("--title needs --save-history.") }
        guard !input.isEmpty else { throw ValidationError("--input is empty: name a file, - or mic.") }
        guard !force || !save.isEmpty || saveAudio != nil else {
            throw ValidationError("--force needs --save or --save-audio.")
        }
    }

    /// Before a model is loaded, checks that the output files may be written; creates nothing.
    func checkOutputs() throws {
        let input = input == "-" ? FileIdentity(regularFile: STDIN_FILENO) : FileIdentity(LocalFile.url(input))
        var outputs = OutputFiles(
            overwriting: force, inputs: self.input == "mic" ? [] : [input].compactMap(\.self),
            remedy: "Choose another name, or replace it with --force.")
        outputs.reserve(FileIdentity(regularFile: STDOUT_FILENO))
        for file in save + [saveAudio].compactMap(\.self) { try outputs.check(LocalFile.url(file)) }
    }

    func makeRecorder() throws -> LiveRecorder? {
        try saveAudio.map { try LiveRecorder(LocalFile.url($0), overwriting: force) }
    }

    func makeTranscriptWriter(language: String?) throws -> LiveTranscriptWriter? {
        guard !save.isEmpty else { return nil }
        return try LiveTranscriptWriter(save.map { LocalFile.url($0) }, language: language, overwriting: force)
    }

    func makeHistory(language: String?, model: String) -> LiveHistory? {
        guard saveHistory else { return nil }
        let source =
            switch input {
            case "mic": device ?? "microphone"
            case "-": "standard input"
            default: LocalFile.url(input).lastPathComponent
            }
        return LiveHistory(title: title ?? "", source: source, language: language, model: model)
    }

    var source: any AudioSource {
        switch input {
        case "mic": MicrophoneSource(device: device)
        case "-": StandardInputSource()
        default: FileSource(LocalFile.url(input), pace: pace == .realtime ? .realTime : .unlimited)
        }
    }

    /// How the engine accounts for time.
    func enginePace(charge: Seconds?) -> LivePace {
        switch pace {
        case .realtime: .realTime
        case .measured: .measured(factor: 1)
        case .fast: charge.map { .charged(seconds: $0.value) } ?? .fast
        }
    }
}

/// Options for measurements, not needed in normal use.
struct LiveExpertArguments: ParsableArguments {
    @Option(help: .init("With --pace fast: assumed duration of each decoding.", valueName: "time")) var charge: Seconds?

    func validate(_ pace: InputPace) throws {
        guard charge == nil || pace == .fast else { throw ValidationError("--charge needs --pace fast.") }
        guard charge.map({ (0...1000).contains($0.value) }) ?? true else {
            throw ValidationError("--charge must be from 0 to 1000 seconds.")
        }
    }
}

enum LiveFormat: String, CaseIterable, ExpressibleByArgument {
    case text, jsonl, vtt

    /// Accepts the names of the formats, and their names in other programs.
    init?(argument: String) {
        let name = argument.lowercased()
        self.init(rawValue: ["txt": "text", "json": "jsonl", "webvtt": "vtt"][name] ?? name)
    }
}

/// How fast audio is read, and how decoding time is accounted for.
enum InputPace: String, CaseIterable, ExpressibleByArgument {
    case realtime, fast, measured
}
