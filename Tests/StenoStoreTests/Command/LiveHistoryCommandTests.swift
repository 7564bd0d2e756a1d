#if Server && (os(Linux) || os(macOS))
    import Foundation
    import GRDB
    import Steno
    import StenoTestSupport
    import Testing

    @testable import StenoStore

    /// `steno live --save-history`: two programs, either of which may fail.
    @Suite(.timeLimit(.minutes(15))) struct LiveHistoryCommandTests {
        private let tool = HistoryTool()
        private let speech = Fixtures.file("sounds/tomorrow.wav").path
        private let live = "\"$0\" live --input \"$2\" --pace fast --language en --format jsonl --save-history"

        private func events(_ output: String) throws -> [TranscriptionEvent] {
            try output.split(separator: "\n").filter { $0.hasPrefix("{") }.map { try TranscriptionEvent(jsonLine: $0) }
        }

        private func store() async throws -> TranscriptStore { try await .open(tool.history) }

        @Test func spokenTextIsSaved() async throws {
            let result = try tool.shell(live + " --title Plans", speech)
            #expect(result.code == 0 && result.errors == "")
            let finals = try events(result.output).reduce(into: LiveTranscript()) { $0.apply($1) }.finals
            let store = try await store()
            let session = try #require(try await store.sessions().first)
            #expect(session.state == .finished && session.title == "Plans" && session.source == "tomorrow.wav")
            #expect(session.language == "en" && session.model?.hasSuffix("nano") == true && session.duration > 1)
            #expect(try await store.segments(of: session.id).map(\.text) == finals.map(\.text))
            #expect(try await store.search("tomorrow").count == 1)
        }

        @Test func nothingIsSavedByDefault() throws {
            let result = try tool.shell("\"$0\" live --input \"$2\" --pace fast --language en", speech)
            #expect(result.code == 0 && !FileManager.default.fileExists(atPath: tool.history.path))
        }

        @Test func aSessionThatFailsToStartLeavesNothing() async throws {
            #expect(try tool.shell(live, "missing.wav").code == 1)
            #expect(try await store().sessions().isEmpty)
        }

        @Test func theHistoryCanBeEncrypted() async throws {
            let key = tool.folder.url.appendingPathComponent("key")
            let result = try tool.shell(live, speech, environment: ["STENO_HISTORY_KEY_FILE": key.path])
            #expect(result.code == 0 && result.errors == "")
            let store = try await TranscriptStore.open(tool.history, key: .file(key, creating: false))
            #expect(try await store.search("tomorrow").count == 1)
            let database = try Data(contentsOf: tool.history.appendingPathComponent("history.sqlite"))
            #expect(database.range(of: Data("omorrow".utf8)) == nil)
        }

        // MARK: Failures: the captions continue, and the loss is reported

        private func expectCaptions(_ result: HistoryTool.Result, losing reason: String) throws {
            #expect(result.code == 1 && result.errors.contains(reason), "\(result.errors)")
            let events = try events(result.output)
            #expect(events.last?.state == .finished)
            #expect(events.filter { $0.kind == .final }.map(\.text).joined().lowercased().contains("tomorrow"))
            #expect(events.compactMap(\.failure).allSatisfy { !$0.isFatal })
        }

        @Test func anUnwritableFolderDoesNotEndTheSession() throws {
            let result = try tool.shell(live, speech, environment: ["STENO_HISTORY": "/dev/null/history"])
            try expectCaptions(result, losing: "cannot be created")
        }

        #if os(Linux)
            /// Whether a file system can be mounted here, which takes a user namespace.
            private static let canMount =
                (try? HistoryTool().shell("unshare -rm sh -c 'mkdir -p disk && mount -t tmpfs none disk'"))?.code == 0

            @Test(.enabled(if: canMount, "nothing can be mounted here"))
            func aFullDiskLosesOnlyWhatDoesNotFit() throws {
                let input = try tool.events(200, text: String(repeating: "word ", count: 400))
                let result = try tool.shell(
                    """
                    exec unshare -rm sh -c 'mkdir -p disk && mount -t tmpfs -o size=1m none disk
                    export STENO_HISTORY=disk/h
                    "$1" history record < "$2"; echo "code $?"
                    "$1" history list; "$1" history show last' "$0" "$1" "$2"
                    """, input.path)
                #expect(
                    result.output.contains("code 1\n") && result.errors.contains("the disk is full"), "\(result.errors)"
                )
                #expect(result.output.contains("interrupted"))
                #expect(result.output.contains("word  3\n") || result.output.contains("word 3\n"))
            }

            /// Root ignores permissions, but not a read-only file system.
            @Test(
                .enabled(if: canMount, "nothing can be mounted here"),
                arguments: [("ro", "cannot be created"), ("size=64k", "Some text is not saved")])
            func anUnwritableDiskDoesNotEndTheSession(options: String, reason: String) throws {
                let result = try tool.shell(
                    """
                    exec unshare -rm sh -c 'mkdir -p disk && mount -t tmpfs -o \(options) none disk && \
                    STENO_HISTORY=disk/history exec "$0" live --input "$2" --pace fast --language en --format jsonl \
                    --save-history' \
                    "$0" "$1" "$2"
                    """, speech)
                try expectCaptions(result, losing: reason)
            }
        #endif

        /// A file size limit makes writes fail like a full disk, without needing privileges.
        @Test func aFileSizeLimitDoesNotEndTheSession() throws {
            let result = try tool.shell(
                "{ \(fileSizeLimit(blocks: 16)); \(live); echo $? > code; } | cat; exit $(cat code)", speech)
            try expectCaptions(result, losing: "Some text is not saved")
        }

        /// A copy of `steno` next to a stand-in for `steno-server`, or to nothing.
        @Test(
            arguments: [
                (nil, "swift build -c release --traits Server --product steno-server"),
                ("exit 3", "steno-server ended"), ("read line; kill -9 $$", "steno-server ended"),
                ("echo 'The disk is gone.' >&2; exit 1", "The disk is gone."),
                ("exec <&-; exit 1", "steno-server ended"),
            ] as [(String?, String)])
        func aFailingOrMissingProgramDoesNotEndTheSession(script: String?, reason: String) throws {
            let program = try tool.folder.install(tool.program("steno"), as: "bin/steno") { $0.hasPrefix("Steno_") }
            if let script { try tool.folder.script(script, as: "bin/steno-server") }
            let result = try tool.shell(
                "\"$3\" live --input \"$2\" --pace fast --language en --format jsonl --save-history", speech,
                program.path, environment: ["PATH": "/usr/bin:/bin"])
            try expectCaptions(result, losing: reason)
        }

        // MARK: Kills

        /// Three runs in CI, 20 with `STENO_LONG`.
        @Test func aKilledSessionIsInterruptedAndHasItsText() async throws {
            var random = SplitMix64(seed: 5)
            let talk = try tool.longTalk()
            let store = try await store()
            for round in 0..<(isLong ? 20 : 3) {
                // Endless audio, so that a fast session cannot finish before it is killed.
                let audio = ProgramInput()
                let session = try tool.start(
                    try tool.program("steno"),
                    ["live", "--input", "-", "--pace", "fast", "--language", "en", "--save-history"],
                    input: audio.pipe
                ).process
                async let writing: Void = onThread { audio.write(talk) }
                // Text that another program can read is acknowledged.
                let count = Int.random(in: 1...12, using: &random)
                let found = try await wait(for: store) {
                    try #require(session.isRunning, "it ended before it was killed")
                    return $0.count == round + 1 && $0[0].segmentCount >= count
                }
                let acknowledged = try await store.segments(of: found.id)
                kill(session.processIdentifier, SIGKILL)
                session.waitUntilExit()
                // Nobody reads any more, so it ends; its descriptor may then be reused.
                try await writing
                try audio.close()
                let ended = try await wait(for: store) { $0.first?.state != .recording }
                #expect(ended.id == found.id && ended.state == .interrupted)
                let stored = try await store.segments(of: ended.id)
                let kept = stored.prefix(acknowledged.count)
                #expect(acknowledged.count >= count && kept.dropLast() == acknowledged.dropLast())
                // The utterance's end may have added a full stop to the last one.
                #expect(kept.last?.text.hasPrefix(acknowledged.last?.text ?? "-") == true)
                #expect(stored.count == ended.segmentCount)
                #expect(try await store.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") } == ["ok"])
            }
        }

        /// Waits until the sessions are as expected, and returns the newest.
        private func wait(
            for store: TranscriptStore, _ isExpected: ([StoredSession]) throws -> Bool
        ) async throws -> StoredSession {
            while true {
                let sessions = try await store.sessions()
                if try isExpected(sessions), let newest = sessions.first { return newest }
                // There are no notifications of another program's writes.
                await Task.yield()
            }
        }
    }

    extension HistoryTool {
        /// A minute of speech as a stream whose header gives no length.
        func longTalk() throws -> Data {
            let sentence = try AudioFile.open(Fixtures.file("sounds/tomorrow.wav")).allSamples()
            let pause = [Float](repeating: 0, count: 16_000)
            let file = folder.url.appendingPathComponent("talk.wav")
            try AudioFile.write(samples: (0..<20).flatMap { _ in sentence + pause }, to: file)
            var bytes = try Data(contentsOf: file)
            bytes.replaceSubrange(40..<44, with: Data(repeating: 0xFF, count: 4))
            return bytes
        }
    }
#endif
