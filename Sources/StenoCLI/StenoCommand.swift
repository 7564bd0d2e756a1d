import ArgumentParser
import Dispatch
import Foundation
import Steno

/// The entry point of the program.
@main
enum Program {
    /// Not `async`: before an asynchronous main runs, Swift's runtime opens files, which would take the descriptors of
    /// closed standard streams.
    static func main() {
        StandardStream.occupyClosed()
        Task {
            await StenoCommand.main()
            exit(EXIT_SUCCESS)
        }
        dispatchMain()
    }
}

/// The command `steno`.
struct StenoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "steno",
        abstract: "Speech to text on this device.",
        discussion: """
            Audio and text stay on this machine. Without --model the command uses the bundled Whisper base.

              steno transcribe talk.wav                        transcribe a file
              steno transcribe talk.mp3 --output-format srt    print subtitles
              steno detect-language talk.wav                   detect the language
              steno evaluate recordings                        measure the word error rate
              steno bench                                      measure the speed on this machine
              steno models list                                list the installed models
            """,
        version: StenoVersion.current,
        subcommands: [Transcribe.self, Live.self, DetectLanguage.self, Evaluate.self, Bench.self, Models.self])
}
