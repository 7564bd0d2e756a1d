import ArgumentParser
import Dispatch
import Foundation
import Steno

/// Where the program starts.
@main
enum Program {
    /// Not `async`: before such a main runs, Swift's runtime opens files of its own, which get the numbers of standard
    /// streams that are closed.
    static func main() {
        StandardStream.occupyClosed()
        Task {
            await StenoCommand.main()
            exit(EXIT_SUCCESS)
        }
        dispatchMain()
    }
}

/// The command `steno`; each subcommand stands in a file of its own name.
struct StenoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "steno",
        abstract: "Speech to text on this device.",
        discussion: """
            Nothing leaves this machine. With no --model the command uses Whisper base, which comes with it.

              steno transcribe talk.wav                        print what is said
              steno transcribe talk.mp3 --output-format srt    print subtitles
              steno detect-language talk.wav                   say which language is spoken
              steno evaluate recordings                        measure the word error rate
              steno bench                                      measure what this machine does
              steno models list                                say which models are here
            """,
        version: StenoVersion.current,
        subcommands: [Transcribe.self, Live.self, DetectLanguage.self, Evaluate.self, Bench.self, Models.self])
}
