import ArgumentParser
import Dispatch
import Foundation
import Steno
import StenoCommandLine

@main
enum Program {
    /// Not `async`: Swift's runtime opens files before an asynchronous main runs, and they would take the descriptors
    /// of closed standard streams.
    static func main() {
        StandardStream.occupyClosed()
        Task { exit(await run(Array(CommandLine.arguments.dropFirst()))) }
        dispatchMain()
    }

    private static func run(_ arguments: [String]) async -> Int32 {
        let reader = CommandLineReader(root: StenoCommand.self, standard: Transcribe.self)
        do {
            if let command = ExternalCommand(arguments) { try command.run() }
        } catch {
            return reader.report(error)
        }
        return await reader.run(arguments)
    }
}

struct StenoCommand: AsyncParsableCommand, ShortlyExplained {
    static let commonOptions: [String] = []
    static let configuration = CommandConfiguration(
        commandName: "steno",
        abstract: "Speech to text on this device. Nothing is sent to a cloud service.",
        usage: "steno <command> ...\nsteno <file> ...   the same as steno transcribe <file> ...",
        discussion: """
            Audio and text stay on this machine; steno serve and steno captions exchange them only with devices that \
            connect. Without --model the command uses $STENO_MODEL, else $WHISPER_MODEL_PATH, else an installed model \
            called default, else the bundled Whisper base.

              steno transcribe talk.wav              print the text
              steno transcribe talk.mp3 -o talk.srt  write subtitles
              steno live                             transcribe the microphone
              steno serve                            serve OpenAI's audio API
              steno captions                         show live captions on a page
              steno history list                     list the transcripts that you saved
              steno detect-language talk.wav         detect the language
              steno evaluate recordings              measure the word error rate
              steno bench                            measure the speed on this machine
              steno models list                      list the models on this machine
              steno models download small            download another model
              steno speakers enroll Ada ada.wav      learn a voice for --speakers
              steno languages                        list the languages

            A file name without a command is transcribed: steno talk.mp3. Options of openai-whisper, faster-whisper \
            and whisper.cpp work where their meaning is clear (--beam_size 5, -osrt); for the others, the error says \
            what to use. steno COMMAND --help-all lists every option of a command.

            Exit codes: 0 success; 1 failure, such as a file that cannot be read or written (the other files are still \
            processed) or a failed download; 64 wrong arguments, such as an unknown option or language, a value out of \
            range, or an output that would replace an input; 66 the model is not on this machine, or Steno does not \
            support it; 128 + n ended by signal n: 130 for Ctrl-C, 143 for SIGTERM. A closed pipe counts as success.
            """,
        version: StenoVersion.current,
        subcommands: [
            Transcribe.self, Live.self, ServeListing.self, CaptionsListing.self, HistoryListing.self,
            DetectLanguage.self, Evaluate.self, Bench.self, Models.self, Speakers.self, ListLanguages.self,
        ])
}
