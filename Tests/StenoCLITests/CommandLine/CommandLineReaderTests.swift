import ArgumentParser
import Foundation
import StenoTestSupport
import Testing

@testable import StenoCLI
@testable import StenoCommandLine

@Suite struct CommandLineReaderTests {
    private let reader = CommandLineReader(
        root: StenoCommand.self, standard: Transcribe.self, columns: 100, exists: { $0 == "talk.wav" })

    private func short(_ command: any ShortlyExplained.Type) -> String {
        command.shortHelp(in: StenoCommand.self)
    }

    private func message(_ arguments: String...) -> String {
        let error = #expect(throws: UsageError.self) { try reader.read(arguments) }
        return error?.message ?? ""
    }

    @Test(arguments: [
        // The command is the first word.
        ("transcribe -m base x.wav", "transcribe --model=base x.wav"), ("models info base", "models info base"),
        ("models list", "models list"),
        // Without one, a file or an option is transcribed, as by openai-whisper and whisper.cpp.
        ("talk.wav --model base", "transcribe talk.wav --model=base"),
        ("-m base -f x.wav", "transcribe --model=base x.wav"),
        // The command reports what is wrong with obvious files, and transcribes the rest.
        ("missing.mp3 talk.wav", "transcribe missing.mp3 talk.wav"), ("*.zzz talk.wav", "transcribe *.zzz talk.wav"),
        ("folder/missing talk.wav", "transcribe folder/missing talk.wav"),
        ("https://example.com/talk talk.wav", "transcribe https://example.com/talk talk.wav"),
        // All commands have the same version.
        ("--version", "--version"), ("live --version", "--version"), ("models list --version", "--version"),
        // The parser's own options, for the manual page and the completions, reach it.
        ("--experimental-dump-help bash", "--experimental-dump-help bash"),
        ("---completion bash", "---completion bash"),
        ("--generate-completion-script bash", "--generate-completion-script bash"),
    ]) func aLineIsReadAsACommand(typed: String, meant: String) throws {
        func words(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }
        #expect(try reader.read(words(typed)) == .run(words(meant), notes: []))
    }

    @Test func helpIsShortUnlessRequestedInFull() throws {
        for arguments in [
            ["transcribe", "--help"], ["transcribe", "-h"], ["help", "transcribe"], ["transcribe", "a", "-h"],
        ] {
            #expect(try reader.read(arguments) == .print(short(Transcribe.self)))
        }
        for arguments in [["transcribe", "--help-all"], ["help", "transcribe", "--help-all"]] {
            #expect(try reader.read(arguments) == .print(StenoCommand.helpMessage(for: Transcribe.self, columns: 100)))
        }
        #expect(try reader.read([]) == .print(short(StenoCommand.self)))
        #expect(try reader.read(["--help"]) == .print(short(StenoCommand.self)))
        #expect(try reader.read(["models"]) == .print(StenoCommand.helpMessage(for: Models.self, columns: 100)))
        #expect(message("help", "trnscribe").hasSuffix("Did you mean steno transcribe?"))
        // An unknown command is explained.
        #expect(message("trancribe", "x.wav").hasSuffix("Did you mean steno transcribe?"))
        #expect(message("models", "lst").hasSuffix("Did you mean steno models list?"))
        #expect(message("nowhere").contains("no file of that name. The commands are transcribe, live"))
    }

    private static let helps: [any ShortlyExplained.Type] = [
        StenoCommand.self, Transcribe.self, Live.self, Evaluate.self,
    ]

    /// Made from the parser's description, and compared as a whole: a word there may change what is cut off here.
    @Test(arguments: helps.indices) func theShortHelpIsAsCommittedAndFitsATerminal(index: Int) throws {
        let command = Self.helps[index]
        let help = short(command)
        let name = index == 0 ? "steno" : "steno-\(command.name)"
        #expect(try HelpSnapshot.committed(name + "-short", replacing: help) == help)
        for line in help.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
        let options = OptionList(command)
        for name in command.commonOptions { #expect(options.option(name)?.name == name, "\(name)") }
    }

    /// The translator and the parser accept each example of the help.
    ///
    /// Parsing takes a tenth of a second where it is not optimised.
    @Test(arguments: helps.indices.dropFirst()) func theExamplesAreTrue(index: Int) throws {
        let command = Self.helps[index]
        let translator = ArgumentTranslator(
            command: command.name, options: OptionList(command), exists: { $0.hasSuffix(".wav") })
        let examples = command.configuration.discussion.split(separator: "\n").filter { $0.hasPrefix("  steno ") }
        #expect(examples.count >= 3)
        for line in examples {
            // What follows two spaces explains the example.
            let example = line.dropFirst(2).split(separator: "  ")[0]
            let typed = example.split(whereSeparator: { " \"".contains($0) }).map(String.init)
            let arguments = typed.dropFirst(2).prefix { !["|", ">"].contains($0) }
            let parsed = try translator.translate(Array(arguments)).arguments
            #expect(throws: Never.self, "\(line)") { try command.parseAsRoot(parsed) }
        }
    }
}

/// The help is as committed in `Tests/Fixtures/help`.
@Suite struct HelpTests {
    private static let commands = all(StenoCommand.self, "steno")

    /// A command and those below it that this program runs itself.
    private static func all(
        _ command: any ParsableCommand.Type, _ name: String
    ) -> [(name: String, command: any ParsableCommand.Type)] {
        let own = command.configuration.subcommands.filter { !ExternalCommand.names.contains($0.name) }
        return [(name, command)] + own.flatMap { all($0, name + "-" + $0.name) }
    }

    @Test(arguments: commands.indices)
    func helpIsAsCommitted(index: Int) throws {
        let (name, command) = Self.commands[index]
        let help = StenoCommand.helpMessage(for: command, columns: 100)
        #expect(try HelpSnapshot.committed(name, replacing: help) == help)
    }
}

/// Commands that are separate programs.
struct ExternalCommandTests {
    @Test func argumentsArePassedOnUnchanged() {
        #expect(ExternalCommand(["serve", "--port", "8080"])?.arguments == ["serve", "--port", "8080"])
        #expect(ExternalCommand(["help", "serve"])?.arguments == ["serve", "--help"])
        #expect(ExternalCommand(["help", "history", "list"])?.arguments == ["history", "list", "--help"])
        #expect(ExternalCommand(["serve.wav"]) == nil && ExternalCommand(["transcribe", "serve"]) == nil)
        #expect(ExternalCommand([]) == nil && ExternalCommand(["help"]) == nil)
        // The help lists them, and so do the completions, although another program runs them.
        let listed = StenoCommand.configuration.subcommands.map { $0.name }
        for name in ExternalCommand.names { #expect(listed.contains(name), "\(name)") }
        let reader = CommandLineReader(root: StenoCommand.self, standard: Transcribe.self, exists: { _ in false })
        let error = #expect(throws: UsageError.self) { try reader.read(["serv"]) }
        #expect(error?.message == "There is no command steno serv and no file of that name. Did you mean steno serve?")
    }

    @Test func theMessageAboutAMissingProgramSaysHowToBuildIt() throws {
        let missing = #expect(throws: UsageError.self) { try ExternalCommand(["history", "list"])?.run(nil) }
        #expect(missing?.message.contains("steno history") == true)
        #expect(missing?.message.contains("swift build -c release --traits Server --product steno-server") == true)
        // A file that is not a program.
        let file = try TemporaryFolder.ofSuite().write("", to: "steno-server")
        let error = #expect(throws: UsageError.self) { try ExternalCommand(["serve"])?.run(file) }
        #expect(error?.message.hasPrefix(file.path) == true)
    }
}

@Suite struct SecondsTests {
    @Test func timesAreSecondsOrClockTimes() {
        for (typed, seconds) in [
            ("90", 90), ("1.5", 1.5), ("0:05", 5), ("1:30", 90), ("1:02:03.5", 3723.5), ("0:00:00", 0), ("75:00", 4500),
            ("-1", -1), (".5", 0.5),
        ] as [(String, Double)] {
            #expect(Seconds(argument: typed)?.value == seconds)
        }
        for other in [
            "", "x", "1:", ":5", "1:60", "1:75:00", "1:-5", "-1:05", "1:2:3:4", "inf", "nan", "1:nan", "1:1e1x",
        ] {
            #expect(Seconds(argument: other) == nil, "\(other)")
        }
    }

    @Test func timeOptionsOfAllCommandsAcceptClockTimes() throws {
        for line in [
            "transcribe a.wav --offset 0:05 --duration 1:00:00", "transcribe a.wav --clip-timestamps 0:05,0:10,1:00",
            "transcribe a.wav --chunk-length 0:20 --max-initial-timestamp 0:01",
            "transcribe a.wav --vad-filter --vad-max-speech 0:30",
            "transcribe a.wav -o a.srt --split-cues --max-cue-duration 0:07",
            "live --endpoint 0:01 --step 0:01 --shed-above 1:00",
        ] {
            _ = try StenoCommand.parseAsRoot(line.split(separator: " ").map(String.init))
        }
    }
}
