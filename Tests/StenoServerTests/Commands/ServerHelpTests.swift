#if Server
    import ArgumentParser
    import Foundation
    import StenoTestSupport
    import Testing

    @testable import StenoCommandLine
    @testable import StenoServerTool

    /// Snapshots of `steno-server`'s help, like HelpTests for `steno`.
    @Suite("Help of the server and the history")
    struct ServerHelpTests {
        private static let commands: [(String, any ParsableCommand.Type)] = [
            ("steno-serve", Serve.self), ("steno-captions", Captions.self), ("steno-history", History.self),
            ("steno-history-list", HistoryList.self), ("steno-history-show", HistoryShow.self),
            ("steno-history-search", HistorySearch.self), ("steno-history-export", HistoryExport.self),
            ("steno-history-delete", HistoryDelete.self), ("steno-history-prune", HistoryPrune.self),
            ("steno-history-record", HistoryRecord.self),
        ]

        @Test(arguments: commands.indices)
        func helpIsAsCommitted(index: Int) throws {
            let (name, command) = Self.commands[index]
            let help = ServerCommand.helpMessage(for: command, columns: 100)
            #expect(try HelpSnapshot.committed(name, replacing: help) == help)
        }

        private let reader = CommandLineReader(root: ServerCommand.self, standard: nil, columns: 100)

        private static let helps: [(any ParsableCommand.Type, String)] = [
            (Serve.self, Serve.shortHelp), (Captions.self, Captions.shortHelp),
        ]

        @Test func helpIsShortAndHelpAllCompleteForGroupsOfCommandsToo() throws {
            #expect(try reader.read(["serve", "--help"]) == .print(Serve.shortHelp))
            #expect(try reader.read(["captions", "-h"]) == .print(Captions.shortHelp))
            for (name, command) in [("serve", Serve.self), ("captions", Captions.self), ("history", History.self)]
                as [(String, any ParsableCommand.Type)]
            {
                let whole = ServerCommand.helpMessage(for: command, columns: 100)
                #expect(try reader.read([name, "--help-all"]) == .print(whole))
            }
            let list = ServerCommand.helpMessage(for: HistoryList.self, columns: 100)
            #expect(try reader.read(["history", "list", "--help-all"]) == .print(list))
        }

        @Test(arguments: helps.indices)
        func theShortHelpFitsATerminalAndItsOptionsExist(index: Int) {
            let (command, text) = Self.helps[index]
            let options = OptionList(command)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count <= 30)
            for line in lines {
                #expect(line.count <= 80, "\(line)")
                let words = line.split(whereSeparator: { " ,".contains($0) })
                for word in words.prefix(while: { $0.hasPrefix("-") }) {
                    #expect(options.option(String(word)) != nil, "\(word)")
                }
            }
        }

        @Test func otherProgramsSpellingsWorkAndTyposAreExplained() throws {
            #expect(
                try reader.read(["serve", "--api_key_file", "keys", "--Max-Upload", "5"])
                    == .run(["serve", "--api-key-file=keys", "--max-upload=5"], notes: []))
            #expect(throws: UsageError("--prot is not an option of steno serve. Did you mean --port?")) {
                try reader.read(["serve", "--prot", "80"])
            }
            #expect(throws: UsageError("There is no command steno history lst. Did you mean steno history list?")) {
                try reader.read(["history", "lst"])
            }
            #expect(
                throws: UsageError("There is no command steno talk.wav. The commands are serve, captions, history.")
            ) {
                try reader.read(["talk.wav"])
            }
        }

        @Test func bothProgramsSayTheSameAboutTheCommands() {
            #expect(Serve.configuration.abstract == ServerAbstract.serve)
            #expect(Captions.configuration.abstract == ServerAbstract.captions)
            #expect(History.configuration.abstract == ServerAbstract.history)
        }
    }
#endif
