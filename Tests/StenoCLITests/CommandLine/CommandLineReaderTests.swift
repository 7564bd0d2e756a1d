import ArgumentParser
import Foundation
import Testing

@testable import StenoCLI
@testable import StenoCommandLine

@Suite struct CommandLineReaderTests {
    private let reader = CommandLineReader(
        root: StenoCommand.self, standard: Transcribe.self, columns: 100, exists: { $0 == "talk.wav" })

    private func message(_ arguments: String...) -> String {
        let error = #expect(throws: UsageError.self) { try reader.read(arguments) }
        return error?.message ?? ""
    }

    @Test func theCommandIsTheFirstWord() throws {
        #expect(
            try reader.read(["transcribe", "-m", "base", "x.wav"])
                == .run(["transcribe", "--model=base", "x.wav"], notes: []))
        #expect(try reader.read(["models", "info", "base"]) == .run(["models", "info", "base"], notes: []))
        #expect(try reader.read(["models", "list"]) == .run(["models", "list"], notes: []))
    }

    /// The calling conventions of openai-whisper and whisper.cpp.
    @Test func aFileOrAnOptionWithoutACommandIsTranscribed() throws {
        #expect(
            try reader.read(["talk.wav", "--model", "base"])
                == .run(["transcribe", "talk.wav", "--model=base"], notes: []))
        #expect(
            try reader.read(["-m", "base", "-f", "x.wav"]) == .run(["transcribe", "--model=base", "x.wav"], notes: []))
    }

    /// The command reports what is wrong with them, and transcribes the rest.
    @Test(arguments: ["missing.mp3", "folder/missing", "https://example.com/talk", "*.zzz"])
    func obviousFilesAreTranscribed(file: String) throws {
        #expect(try reader.read([file, "talk.wav"]) == .run(["transcribe", file, "talk.wav"], notes: []))
    }

    @Test func allCommandsHaveTheSameVersion() throws {
        for arguments in [["--version"], ["live", "--version"], ["models", "list", "--version"]] {
            #expect(try reader.read(arguments) == .run(["--version"], notes: []))
        }
    }

    @Test func anUnknownCommandIsExplained() {
        #expect(message("trancribe", "x.wav").hasSuffix("Did you mean steno transcribe?"))
        #expect(message("models", "lst").hasSuffix("Did you mean steno models list?"))
        #expect(message("nowhere").contains("no file of that name. The commands are transcribe, live"))
    }

    @Test func helpIsShortUnlessRequestedInFull() throws {
        for arguments in [
            ["transcribe", "--help"], ["transcribe", "-h"], ["help", "transcribe"], ["transcribe", "a", "-h"],
        ] {
            #expect(try reader.read(arguments) == .print(Transcribe.shortHelp))
        }
        for arguments in [["transcribe", "--help-all"], ["help", "transcribe", "--help-all"]] {
            #expect(try reader.read(arguments) == .print(StenoCommand.helpMessage(for: Transcribe.self, columns: 100)))
        }
        #expect(try reader.read([]) == .print(StenoCommand.shortHelp))
        #expect(try reader.read(["--help"]) == .print(StenoCommand.shortHelp))
        #expect(try reader.read(["models"]) == .print(StenoCommand.helpMessage(for: Models.self, columns: 100)))
        #expect(message("help", "trnscribe").hasSuffix("Did you mean steno transcribe?"))
    }

    /// The manual page and the completions.
    @Test func theParsersOwnOptionsReachIt() throws {
        for argument in ["--experimental-dump-help", "--generate-completion-script", "---completion"] {
            #expect(try reader.read([argument, "bash"]) == .run([argument, "bash"], notes: []))
        }
    }

    // MARK: The short help

    private static let helps: [any ShortlyExplained.Type] = [
        StenoCommand.self, Transcribe.self, Live.self, Evaluate.self,
    ]

    @Test(arguments: helps.indices) func theShortHelpIsShort(index: Int) {
        let lines = Self.helps[index].shortHelp.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 30)
        for line in lines { #expect(line.count <= 80, "\(line)") }
    }

    /// It lists only options that there are, and the translator and the parser accept each example.
    ///
    /// More than two seconds: some thirty examples have a value, and parsing takes a tenth of one where it is not optimised.
    @Test(arguments: helps.indices.dropFirst()) func theShortHelpIsTrue(index: Int) throws {
        let (command, text) = (Self.helps[index], Self.helps[index].shortHelp)
        let options = OptionList(command)
        for word in text.split(whereSeparator: { " ,\n".contains($0) }).map(String.init)
        where word.hasPrefix("-") && word != "-" && word != "--help-all" {
            #expect(options.option(word) != nil, "\(word)")
        }
        let translator = ArgumentTranslator(command: command.name, options: options, exists: { $0 == "talk.wav" })
        for line in text.split(separator: "\n") where line.contains(" --") && line.hasPrefix("  ") {
            // The option with its example; two spaces end it.
            let start = try #require(line.range(of: "--")).lowerBound
            let example = String(line[start...]).split(separator: "   ").first.map(String.init) ?? ""
            let words = example.replacing("\"", with: "").split(separator: " ", maxSplits: 1).map(String.init)
            // A flag alone has nothing more to parse.
            guard let option = words.first, words.count > 1 else { continue }
            var arguments = [option] + words.dropFirst().map { $0.split(separator: "  ").first.map(String.init) ?? $0 }
            if command != Live.self { arguments.append("a.wav") }
            if option == "--output-format" { arguments.append("--output-dir=x") }
            let parsed = try translator.translate(arguments).arguments
            #expect(throws: Never.self, "\(arguments)") { try command.parseAsRoot(parsed) }
        }
    }
}
