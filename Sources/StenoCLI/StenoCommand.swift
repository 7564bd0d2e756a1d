import ArgumentParser
import Dispatch
import Foundation
import Steno
import StenoCommandLine

/// The entry point of the program.
@main
enum Program {
    /// Not `async`: before an asynchronous main runs, Swift's runtime opens files, which would take the descriptors of
    /// closed standard streams.
    static func main() {
        StandardStream.occupyClosed()
        Task { exit(await run(Array(CommandLine.arguments.dropFirst()))) }
        dispatchMain()
    }

    /// Runs a command; returns its exit code.
    private static func run(_ arguments: [String]) async -> Int32 {
        do {
            if let command = ExternalCommand(arguments) { try command.run() }
            switch try CommandLineReader(root: StenoCommand.self, standard: Transcribe.self).read(arguments) {
            case .print(let text):
                StandardStream.output.write(text.hasSuffix("\n") ? text : text + "\n")
            case .run(let arguments, let notes):
                try await run(arguments, notes)
            }
            return EXIT_SUCCESS
        } catch {
            return report(error, arguments)
        }
    }

    private static func run(_ arguments: [String], _ notes: [String]) async throws {
        var command = try StenoCommand.parseAsRoot(arguments)
        if !arguments.contains("--quiet") {
            for note in notes { StandardStream.error.write(TerminalText.message(note)) }
        }
        if var command = command as? any AsyncParsableCommand {
            try await command.run()
        } else {
            try command.run()
        }
    }

    /// Every error in the same form: one sentence or two, after the program's name.
    private static func report(_ error: any Error, _ arguments: [String]) -> Int32 {
        if let code = error as? ExitCode { return code.rawValue }
        if let error = error as? UsageError {
            StandardStream.error.write(TerminalText.message(error.message))
            return ExitCode.validationFailure.rawValue
        }
        return ParserReport(root: StenoCommand.self).report(error)
    }
}

/// The command `steno`.
struct StenoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "steno",
        abstract: "Speech to text on this device.",
        discussion: """
            Audio and text stay on this machine. Without --model the command uses $STENO_MODEL, else $WHISPER_MODEL_PATH, \
            else an installed model called default, else the bundled Whisper base.

              steno transcribe talk.wav              print the text
              steno transcribe talk.mp3 -o talk.srt  write subtitles
              steno live                             transcribe the microphone
              steno history list                     list the transcripts that were kept
              steno serve                            serve OpenAI's audio API on this machine
              steno captions                         show live captions on a page
              steno detect-language talk.wav         detect the language
              steno evaluate recordings              measure the word error rate
              steno bench                            measure the speed on this machine
              steno models list                      list the models on this machine
              steno models download small            download another model
              steno speakers enroll Ada ada.wav      learn a voice that --speakers calls by name
              steno languages                        list the languages

            The name of a file alone is transcribed: steno talk.mp3. The spellings of openai-whisper, faster-whisper and \
            whisper.cpp are understood where their meaning is clear (--beam_size 5, -osrt), and explained where it is not. \
            serve, captions and history are run by steno-server and have their own help: steno captions --help.

            Exit codes: 0 success; 1 failure: a file that cannot be read or written (the other files are processed), a \
            download that failed; 64 wrong arguments: an unknown option, a value out of its range, a language that does \
            not exist, an output that would replace an input; 66 a model that is not on this machine, or that Steno does not support; 128 + n ended by \
            signal n, so 130 for Ctrl-C and 143 for SIGTERM. A reader that closes the pipe is no failure.
            """,
        version: StenoVersion.current,
        subcommands: [
            Transcribe.self, Live.self, DetectLanguage.self, Evaluate.self, Bench.self, Models.self, Speakers.self,
            ListLanguages.self,
        ])
}
