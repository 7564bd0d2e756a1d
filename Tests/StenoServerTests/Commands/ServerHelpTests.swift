#if Server
    import ArgumentParser
    import Foundation
    import Steno
    import StenoStore
    import StenoTestSupport
    import Testing

    @testable import StenoCommandLine
    @testable import StenoServerTool

    /// Snapshots of `steno-server`'s help, like HelpTests for `steno`.
    @Suite("Help of the server and the history") struct ServerHelpTests {
        private static let commands: [(String, any ParsableCommand.Type)] = [
            ("steno-serve", Serve.self), ("steno-captions", Captions.self), ("steno-history", History.self),
            ("steno-history-list", HistoryList.self), ("steno-history-show", HistoryShow.self),
            ("steno-history-search", HistorySearch.self), ("steno-history-export", HistoryExport.self),
            ("steno-history-delete", HistoryDelete.self), ("steno-history-prune", HistoryPrune.self),
            ("steno-history-record", HistoryRecord.self),
        ]

        @Test(arguments: commands.indices) func helpIsAsCommitted(index: Int) throws {
            let (name, command) = Self.commands[index]
            let help = ServerCommand.helpMessage(for: command, columns: 100)
            #expect(try HelpSnapshot.committed(name, replacing: help) == help)
        }

        private let reader = CommandLineReader(root: ServerCommand.self, standard: nil, columns: 100)

        private static let helps: [any ShortlyExplained.Type] = [Serve.self, Captions.self]

        private func short(_ command: any ShortlyExplained.Type) -> String {
            command.shortHelp(in: ServerCommand.self)
        }

        @Test func helpIsShortAndHelpAllCompleteForGroupsOfCommandsToo() throws {
            #expect(try reader.read(["serve", "--help"]) == .print(short(Serve.self)))
            #expect(try reader.read(["captions", "-h"]) == .print(short(Captions.self)))
            for (name, command) in Self.commands.prefix(4) {
                let whole = ServerCommand.helpMessage(for: command, columns: 100)
                let words = name.split(separator: "-").dropFirst().map(String.init)
                #expect(try reader.read(words + ["--help-all"]) == .print(whole))
            }
        }

        @Test(arguments: helps.indices) func theShortHelpIsAsCommittedAndFitsATerminal(index: Int) throws {
            let command = Self.helps[index]
            let help = short(command)
            #expect(try HelpSnapshot.committed("steno-\(command.name)-short", replacing: help) == help)
            for line in help.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
            let options = OptionList(command)
            for name in command.commonOptions { #expect(options.option(name)?.name == name, "\(name)") }
        }

        @Test func otherProgramsSpellingsWorkAndTyposAreExplained() throws {
            #expect(
                try reader.read(["serve", "--api_key_file", "keys", "--Max-Upload", "5"])
                    == .run(["serve", "--api-key-file=keys", "--max-upload=5"], notes: []))
            for (arguments, error) in [
                (["serve", "--prot", "80"], "--prot is not an option of steno serve. Did you mean --port?"),
                (["history", "lst"], "There is no command steno history lst. Did you mean steno history list?"),
                (["talk.wav"], "There is no command steno talk.wav. The commands are serve, captions, history."),
            ] {
                #expect(throws: UsageError(error)) { try reader.read(arguments) }
            }
        }

        @Test func anAgeHasANumberAndAUnit() {
            #expect(Age(argument: "6w")?.seconds == 6.0 * 7 * 86_400)
            for age in ["30", "d", "-1d", "30x", ""] { #expect(Age(argument: age) == nil, "\(age)") }
        }

        @Test func bothProgramsSayTheSameAboutTheCommands() {
            #expect(Serve.configuration.abstract == ServerAbstract.serve)
            #expect(Captions.configuration.abstract == ServerAbstract.captions)
            #expect(History.configuration.abstract == ServerAbstract.history)
        }
    }

    /// Passphrases for histories.
    struct HistoryArgumentsTests {
        /// A new history's passphrase is typed twice.
        @Test(
            arguments: [
                (true, ["correct horse", "correct horse"], nil), (true, ["correct horse", "correct hrose"], "differ"),
                (false, ["correct horse"], nil), (false, [], "STENO_HISTORY_PASSPHRASE"),
            ] as [(Bool, [String], String?)])
        func aPassphraseIsTyped(isNew: Bool, texts: [String], refusal: String?) throws {
            var rest = texts[...]
            let typed = Result { try HistoryArguments.passphrase(isNew: isNew) { _ in rest.popFirst() } }
            #expect(rest.isEmpty)
            guard let refusal else { return #expect(try typed.get() == "correct horse") }
            let error = #expect(throws: StenoError.self) { try typed.get() }
            #expect(error?.code == .invalidOption && error?.message.contains(refusal) == true)
        }
    }

    /// History commands print no control characters that users of the page typed.
    struct PrintedTextTests {
        private static let malicious = "Lunch\u{1B}]0;x\u{07}\n3f2a91b0  2026-11-24 09:00\u{9B}2J\u{7F}"
        private static let harmless = "Lunch\u{FFFD}]0;x\u{FFFD} 3f2a91b0  2026-11-24 09:00\u{FFFD}2J\u{FFFD}"

        @Test func listsSearchHitsAndTextsAreSafe() throws {
            let id = "3F2A91B0-0000-4000-8000-000000000000"
            func decoded<Value: Decodable>(_ fields: [String: Any]) throws -> Value {
                try JSONDecoder().decode(Value.self, from: JSONSerialization.data(withJSONObject: fields))
            }
            let session: StoredSession = try decoded([
                "id": id, "title": Self.malicious, "source": "", "start": 0, "duration": 1, "language": "\u{1B}[0m",
                "state": "finished", "segmentCount": 1,
            ])
            let table = HistoryList.table([session])
            #expect(table.contains(Self.harmless) && !table.contains("\u{1B}"))
            #expect(table.split(separator: "\n").count == 1)
            let segment = Segment(id: 0, start: 0, end: 1, text: " " + Self.malicious, speaker: "Ann\u{1B}c")
            #expect(HistoryShow.line(segment, timestamps: false) == "Ann\u{FFFD}c: \(Self.harmless)\n")
            let hit: SearchHit = try decoded([
                "session": id, "segment": 0, "start": 0, "end": 1, "rank": 0,
                "excerpt": [["text": Self.malicious, "isMatch": true]],
            ])
            #expect(FoundPlace(hit, session).line.hasSuffix("  \(Self.harmless)\n"))
        }
    }
#endif
