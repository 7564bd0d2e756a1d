import ArgumentParser
import Foundation
import Steno

/// Where live audio comes from and where its text goes.
struct LiveArguments: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "mic is the microphone, - is standard input (WAV, or anything ffmpeg reads), else a file.",
            valueName: "mic|-|file"))
    var input = "mic"

    @Option(
        name: .long,
        help: ArgumentHelp("Listen with this device; --list-devices says which there are.", valueName: "name"))
    var device: String?

    @Flag(name: .long, help: "List the devices that can listen, and end.")
    var listDevices = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "text flows on a terminal, jsonl is every event as a line of JSON, vtt are subtitles (default: text on a "
                + "terminal, jsonl on a pipe).", valueName: "text|jsonl|vtt"))
    var format: LiveFormat?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "For files: realtime plays them; fast takes the audio as it comes, and decodings no time of it, so that the "
                + "output is reproducible; measured lets each decoding take the time it took.",
            valueName: "realtime|fast|measured"))
    var pace = LivePace.realtime

    @Option(
        name: .long,
        help: ArgumentHelp("With --pace fast: let each decoding take this much of the audio.", valueName: "seconds"))
    var charge: Double?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Also write the text to a .txt, .srt, .vtt, .json or .tsv file, while it is spoken; may be given several "
                + "times.", valueName: "file"))
    var save: [String] = []

    @Option(name: .long, help: ArgumentHelp("Also keep the audio, as WAV.", valueName: "file"))
    var saveAudio: String?

    func validate() throws {
        guard input == "mic" || device == nil else { throw ValidationError("--device is for --input mic.") }
        guard input != "mic" || pace == .realtime else {
            throw ValidationError("A microphone has a pace of its own: leave --pace out.")
        }
        guard charge == nil || pace == .fast else { throw ValidationError("--charge is for --pace fast.") }
        guard charge.map({ (0...1000).contains($0) }) ?? true else {
            throw ValidationError("--charge must be from 0 to 1000 seconds.")
        }
        for file in save where TranscriptFormat(file: file) == nil {
            throw ValidationError("--save \(file): the name must end in .txt, .srt, .vtt, .json or .tsv.")
        }
    }

    /// The audio's source.
    var source: any AudioSource {
        switch input {
        case "mic": MicrophoneSource(device: device)
        case "-": StandardInputSource()
        default: FileSource(URL(fileURLWithPath: input), pace: pace == .realtime ? .realTime : .unlimited)
        }
    }

    /// How the engine takes the audio's time.
    var enginePace: ModelEngine.Pace {
        switch pace {
        case .realtime: .realTime
        case .measured: .measured(factor: 1)
        case .fast: charge.map { .charged(seconds: $0) } ?? .fast
        }
    }

    /// The form of the output, by what standard output is.
    var resolvedFormat: LiveFormat { format ?? (StandardStream.output.isTerminal ? .text : .jsonl) }
}

extension TranscriptFormat {
    /// The format a file's name asks for.
    init?(file: String) { self.init(rawValue: URL(fileURLWithPath: file).pathExtension.lowercased()) }
}
