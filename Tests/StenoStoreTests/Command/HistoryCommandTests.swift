#if Server && (os(Linux) || os(macOS))
    import Foundation
    import GRDB
    import Steno
    import StenoTestSupport
    import Testing

    @testable import StenoStore

    /// `steno history` as people use it.
    struct HistoryCommandTests {
        private let tool = HistoryTool()

        private func store(_ key: StoreKey = .none) async throws -> TranscriptStore {
            try await .open(tool.history, key: key)
        }

        private func name(_ id: UUID) -> String { String(id.uuidString.lowercased().prefix(8)) }

        @Test func withoutAHistoryTheCommandSaysHowToStartOne() throws {
            let result = try tool.history("list")
            #expect(result.code == 1 && result.errors.contains("steno live --save-history"))
            #expect(!FileManager.default.fileExists(atPath: tool.history.path))
            let help = try tool.history("--help")
            #expect(help.code == 0 && help.output.contains("prune --older-than 90d"))
        }

        @Test func sessionsAreListedAndShown() async throws {
            let store = try await store()
            let id = try await store.add([" Good morning.", " Good night."], title: "Greetings")
            let list = try tool.history("list")
            #expect(list.code == 0 && list.errors == "")
            #expect(list.output.hasPrefix(name(id)) && list.output.contains("finished  en  Greetings"))
            for name in ["last", name(id), id.uuidString] {
                #expect(try tool.history("show", name).output == "Good morning.\nGood night.\n")
            }
            let times = try tool.history("show", "--timestamps").output
            #expect(times.hasPrefix("[00:00.000 --> 00:01.000] Good morning.\n"))
            let json = try JSONSerialization.jsonObject(with: Data(tool.history("list", "--json").output.utf8))
            let first = (json as? [[String: Any]])?.first
            #expect(first?["title"] as? String == "Greetings" && first?["segments"] as? Int == 2)
            let missing = try tool.history("show", "ffffffff")
            #expect(missing.code == 1 && missing.errors.contains("There is no session ffffffff"))
            try await store.add([" Other."])
            #expect(try tool.history("show", "").code != 0)
        }

        @Test func spokenTextIsFound() async throws {
            let store = try await store()
            let id = try await store.add([" The café in Zürich.", " Elsewhere."])
            let found = try tool.history("search", "cafe", "zur")
            #expect(found.code == 0 && found.output.hasPrefix(name(id)))
            #expect(found.output.hasSuffix("The café in Zürich.\n"))
            #expect(try tool.history("search", "xylophone").code == 1)
            let json = try tool.history("search", "cafe", "--json").output
            #expect(json.contains("\"isMatch\" : true") && json.contains("\"text\" : \"café\""))
            #expect(try tool.history("search", "cafe", "--limit", "0").code == 64)
        }

        @Test func aSessionIsExportedInEveryFormat() async throws {
            let store = try await store()
            let id = try await store.add([" Good morning."])
            let all = try tool.history("export", "last", "-f", "all", "--output-dir", "out")
            #expect(all.code == 0 && all.output == "")
            let files = try FileManager.default.contentsOfDirectory(
                at: tool.folder.url.appendingPathComponent("out"), includingPropertiesForKeys: nil)
            #expect(files.count == TranscriptFormat.texts.count)
            #expect(files.allSatisfy { $0.lastPathComponent.contains(name(id)) })
            let transcript = try await store.transcript(of: id)
            for format in TranscriptFormat.texts {
                let file = try #require(files.first { $0.pathExtension == format.fileExtension })
                let text = format.text(of: transcript, subtitles: .readable)
                #expect(try String(contentsOf: file, encoding: .utf8) == text && !text.isEmpty, "\(format)")
            }
            let printed = try tool.history("export", "last", "-f", "srt").output
            #expect(printed == TranscriptFormat.srt.text(of: transcript, subtitles: .readable))
            #expect(try tool.history("export", "last", "-o", "a.srt").code == 0)
            let again = try tool.history("export", "last", "-o", "a.srt")
            #expect(again.code == 1 && again.errors.contains("--force"))
            #expect(try tool.history("export", "last", "-o", "a.srt", "--force").code == 0)
            #expect(try tool.history("export", "last", "-o", "a.doc").code == 64)
            #expect(try tool.history("export", "last", "-f", "srt,vtt").code == 64)
            #expect(try tool.history("export", "last", "--audio", "a.wav").errors.contains("no audio"))
        }

        @Test func correctedSpeakersAreShownAndExported() async throws {
            let segment = LiveSegment.spoken([(" One", "Speaker 1"), (" two.", "Ben")], 0)
            let events: [TranscriptionEvent] = [
                .init(.final(text: segment.text, segments: [segment]), position: 2),
                .init(.speakers([SpeakerChange(start: 0, end: nil, was: "Speaker 1", now: "Ann")]), position: 2),
                .init(.state(.finished), position: 2),
            ]
            let input = try tool.folder.write(events.map { $0.jsonLine + "\n" }.joined(), to: "events.jsonl")
            let recorded = try tool.shell("\"$1\" history record < \"$2\"", input.path)
            #expect(recorded.code == 0 && recorded.errors == "")
            #expect(try tool.history("show", "last").output == "Ann: One\nBen: two.\n")
            #expect(try tool.history("export", "last").output == "Ann: One\nBen: two.\n")
            let subtitles = try tool.history("export", "last", "-f", "vtt").output
            #expect(subtitles.contains("<v Ann>One") && subtitles.contains("<v Ben>two."))
        }

        @Test func aDamagedSessionIsListedAndCanBeDeleted() async throws {
            let store = try await store()
            let whole = try await store.add([" The whole house."], title: "Whole")
            let damaged = try await store.add([" Xylophone."], title: "Hole")
            try await store.write {
                try $0.execute(
                    sql: "UPDATE session SET content = x'0063' WHERE uuid = ?", arguments: [damaged.uuidString])
            }
            let list = try tool.history("list")
            #expect(list.code == 0 && list.output.contains("Whole") && list.output.contains("damaged"))
            #expect(try tool.history("show", name(whole)).output == "The whole house.\n")
            #expect(try tool.history("search", "house").output.hasPrefix(name(whole)))
            let show = try tool.history("show", name(damaged))
            #expect(show.code == 1 && show.errors.contains(damaged.uuidString))
            #expect(try tool.history("delete", name(damaged)).output.hasPrefix("deleted \(name(damaged))"))
            #expect(try await store.sessions().map(\.id) == [whole])
        }

        /// As after a repair of the database: the same id in capitals and in small letters.
        @Test func twoSessionsWithOneIdAreSearched() async throws {
            let store = try await store()
            let id = try await store.add([" The whole house."])
            let other = try await store.add([" Another house."])
            try await store.write {
                try $0.execute(
                    sql: "UPDATE session SET uuid = ? WHERE uuid = ?",
                    arguments: [id.uuidString.lowercased(), other.uuidString])
            }
            let found = try tool.history("search", "house")
            #expect(found.code == 0 && found.output.components(separatedBy: name(id)).count == 3)
        }

        @Test func sessionsAreDeletedAndPruned() async throws {
            let store = try await store()
            let first = try await store.add([" Xylophone."])
            let old = try await store.begin(start: Date(timeIntervalSinceNow: -40 * 86_400)).id
            let deleted = try tool.history("delete", name(first))
            #expect(deleted.code == 0 && deleted.output.hasPrefix("deleted \(name(first)) of "))
            #expect(try tool.history("prune", "--older-than", "6w").output == "")
            #expect(try tool.history("prune", "--older-than", "30d", "--dry-run").output.hasPrefix(name(old)))
            #expect(try await store.sessions().count == 1)
            #expect(try tool.history("prune", "--older-than", "30d").output.hasPrefix("deleted \(name(old))"))
            #expect(try await store.sessions().isEmpty)
            #expect(try tool.history("prune", "--older-than", "30x").code == 64)
        }

        @Test func anEncryptedHistoryNeedsItsKey() async throws {
            let key = tool.folder.url.appendingPathComponent("key")
            let id = try await store(.file(key)).add([" Secret."])
            let refused = try tool.history("list")
            #expect(refused.code == 1 && refused.errors.contains("encrypted"))
            #expect(try tool.history("list", "--key-file", "other").code == 1)
            #expect(!FileManager.default.fileExists(atPath: tool.folder.url.appendingPathComponent("other").path))
            #expect(try tool.history("show", "--key-file", "key").output == "Secret.\n")
            let environment = ["STENO_HISTORY_KEY_FILE": key.path]
            #expect(try tool.history("search", "secret", environment: environment).output.hasPrefix(name(id)))
            let wrong = try tool.history("list", environment: ["STENO_HISTORY_PASSPHRASE": "guess"])
            #expect(wrong.code == 1 && wrong.errors.contains("wrong for this history"))
        }
    }

    /// Which history `steno history` opens, and with which key.
    struct HistoryArgumentCommandTests {
        private let tool = HistoryTool()
        private var other: URL { tool.folder.url.appendingPathComponent("other") }

        @Test func anotherFolderCanBeNamed() async throws {
            try await TranscriptStore.open(other).add([" Elsewhere."], title: "Another one")
            try await TranscriptStore.open(tool.history).add([" Here."], title: "The usual one")
            let named = try tool.history("list", "--history", other.path)
            #expect(named.code == 0 && named.output.contains("Another one") && !named.output.contains("usual"))
            #expect(try !tool.history("list").output.contains("Another one"))
            let missing = try tool.history("list", "--history", other.path + "-missing")
            #expect(missing.code == 1 && missing.errors.contains(other.path + "-missing"))
        }

        #if os(Linux)
            /// From standard input if there is no terminal.
            @Test func thePassphraseIsRequested() async throws {
                try await TranscriptStore.open(other, key: .passphrase("open sesame")).add([" Secret."], title: "Plans")
                func list(_ passphrase: String) throws -> ProgramResult {
                    try tool.shell(
                        "printf '%s\\n' \"$2\" | setsid -w \"$1\" history list --history \"$3\" --passphrase",
                        passphrase, other.path)
                }
                let right = try list("open sesame")
                #expect(right.code == 0 && right.output.contains("Plans") && right.errors.contains("Passphrase: "))
                let wrong = try list("close sesame")
                #expect(wrong.code == 1 && !wrong.output.contains("Plans"))
                let both = try tool.history("list", "--passphrase", "--key-file", "key")
                #expect(both.code == 64 && both.errors.contains("cannot be combined"))
            }
        #endif
    }

    /// Runs the `steno` and `steno-server` built with the tests on their own history.
    struct HistoryTool {
        typealias Result = ProgramResult

        let folder = TemporaryFolder.ofSuite()
        var history: URL { folder.url.appendingPathComponent("history") }

        func history(_ arguments: String..., environment: [String: String] = [:]) throws -> Result {
            try run(program("steno-server"), ["history"] + arguments, environment: environment)
        }

        /// Runs a line of shell: `$0` is `steno`, `$1` is `steno-server`, then the arguments.
        func shell(_ line: String, _ arguments: String..., environment: [String: String] = [:]) throws -> Result {
            let programs = [try program("steno").path, try program("steno-server").path]
            return try run(
                URL(fileURLWithPath: "/bin/sh"), ["-c", line] + programs + arguments, environment: environment)
        }

        func program(_ name: String) throws -> URL { try #require(BuiltTool.executable(name)) }

        private func run(_ program: URL, _ arguments: [String], environment: [String: String]) throws -> Result {
            try start(program, arguments, environment: environment).wait()
        }

        func start(
            _ program: URL, _ arguments: [String], environment: [String: String] = [:], input: Any? = nil
        ) throws -> StartedProgram {
            let own = ["STENO_HISTORY": history.path, "STENO_MODEL": Fixtures.nano.path, "TZ": "UTC"]
            return try folder.start(program, arguments, environment: own.merging(environment) { $1 }, input: input)
        }

        /// Writes the JSON lines of a session with that many final texts, with or without its end.
        func events(_ count: Int, text: String = "number", hasEnd: Bool = true) throws -> URL {
            var events = (0..<count).map { number in
                let segment = LiveSegment.saying(" \(text) \(number)", number, utterance: number / 4)
                return TranscriptionEvent(.final(text: segment.text, segments: [segment]), position: Double(number) + 1)
            }
            if hasEnd { events.append(.init(.state(.finished), position: Double(count))) }
            return try folder.write(events.map { $0.jsonLine + "\n" }.joined(), to: "events.jsonl")
        }
    }
#endif
