#if Store
    import Foundation
    import GRDB
    import Steno
    import StenoTestSupport
    import Testing

    @testable import StenoStore

    /// Databases of other versions, and other files.
    struct StoreConnectionTests {
        private let folder = HistoryFolder()

        /// The tables of version 1 as released; a schema change is a new migration, never a change of these.
        @Test func aHistoryOfVersion1Opens() async throws {
            try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
            try makeVersion1(at: folder.url.appendingPathComponent("history.sqlite"))
            let store = try await folder.store()
            let session = try #require(try await store.sessions().first)
            #expect(session.title == "Old" && session.language == "en" && session.state == .interrupted)
            #expect(try await store.transcript(of: session.id).text == "Hello from version one.")
            #expect(try await store.search("version").map(\.session) == [session.id])
            let (writer, text) = try await store.resume(session.id)
            try await writer.append([.saying(" More.", text.finals.count, utterance: 1)])
            #expect(try await store.search("more").count == 1)
        }

        /// Compares the statements as SQLite keeps them.
        @Test func theTablesOfVersion1NeverChange() async throws {
            let old = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).sqlite")
            defer { try? FileManager.default.removeItem(at: old) }
            try makeVersion1(at: old)
            let sql = """
                SELECT sql FROM sqlite_master WHERE sql NOT NULL AND name NOT LIKE 'grdb%' AND name NOT LIKE 'search_%'
                ORDER BY name
                """
            let expected = try await DatabaseQueue(path: old.path).read { try String.fetchAll($0, sql: sql) }
            #expect(try await folder.store().read { try String.fetchAll($0, sql: sql) } == expected)
        }

        private func makeVersion1(at file: URL) throws {
            let queue = try DatabaseQueue(path: file.path)
            try queue.write { database in
                try database.execute(sql: Self.version1)
                let session = Data("\0{\"title\":\"Old\",\"source\":\"microphone\"}".utf8)
                try database.execute(
                    sql: "INSERT INTO session VALUES (1, ?, 'recording', 1000, NULL, 2, 2, 'en', 'base', ?, NULL)",
                    arguments: [UUID().uuidString, session])
                try database.execute(sql: "INSERT INTO passage VALUES (1, 1)")
                for (number, text) in [" Hello from", " version one."].enumerated() {
                    let content = Data("\0{\"text\":\"\(text)\",\"words\":[]}".utf8)
                    try database.execute(
                        sql: "INSERT INTO segment VALUES (NULL, 1, 1, ?, 0, ?, ?, ?)",
                        arguments: [number, number, number + 1, content])
                }
            }
            try queue.close()
        }

        private static let version1 = """
            CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
            INSERT INTO grdb_migrations VALUES ('1');
            CREATE TABLE "setting" ("name" TEXT PRIMARY KEY NOT NULL, "value" BLOB NOT NULL);
            INSERT INTO setting VALUES ('scrypt', x'0F08034FDF61F30CE504FEA0D95FD03E6D3F8F');
            INSERT INTO setting VALUES ('identity', x'00225374656E6F20686973746F727922');
            CREATE TABLE "session" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "uuid" TEXT NOT NULL UNIQUE, \
            "state" TEXT NOT NULL, "started" DOUBLE NOT NULL, "ended" DOUBLE, "duration" DOUBLE NOT NULL, \
            "segments" INTEGER NOT NULL, "language" TEXT, "model" TEXT, "content" BLOB NOT NULL, "partial" BLOB);
            CREATE INDEX "session_on_started" ON "session"("started");
            CREATE TABLE "recording" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "session_id" INTEGER NOT NULL \
            REFERENCES "session"("id") ON DELETE CASCADE, "number" INTEGER NOT NULL, "start" DOUBLE NOT NULL, \
            UNIQUE ("session_id", "number"));
            CREATE TABLE "passage" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "session_id" INTEGER NOT NULL \
            REFERENCES "session"("id") ON DELETE CASCADE);
            CREATE INDEX "passage_on_session_id" ON "passage"("session_id");
            CREATE TABLE "segment" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "session_id" INTEGER NOT NULL \
            REFERENCES "session"("id") ON DELETE CASCADE, "passage_id" INTEGER NOT NULL \
            REFERENCES "passage"("id") ON DELETE CASCADE, "number" INTEGER NOT NULL, "utterance" INTEGER NOT NULL, \
            "start" DOUBLE NOT NULL, "end" DOUBLE NOT NULL, "content" BLOB NOT NULL, UNIQUE ("session_id", "number"));
            CREATE INDEX "segment_on_passage_id" ON "segment"("passage_id");
            CREATE VIRTUAL TABLE "search" USING fts5(text, \
            tokenize='''unicode61'' ''remove_diacritics'' ''2''', prefix='2 3');
            INSERT INTO search (rowid, text) VALUES (1, ' Hello from version one.');
            """

        @Test func aHistoryOfANewerVersionIsNotTouched() async throws {
            try await folder.store().write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('1000')") }
            await expectError(.historyUnsupported, "Update Steno") { _ = try await folder.store() }
        }

        @Test func aDatabaseInMemoryHasNoTemporaryFiles() async throws {
            let place = try await StoreConnection.openInMemory().read { try Int.fetchOne($0, sql: "PRAGMA temp_store") }
            #expect(place == 2, "2 is MEMORY")
        }

        /// A failed copy leaves an empty file; a new history in its place would hide the loss.
        @Test(arguments: [(10_000, "Move its folder away"), (0, "Restore it from a backup")])
        func aFileOfAnotherKindIsNotTakenForAHistory(count: Int, advice: String) async throws {
            let file = folder.url.appendingPathComponent("history.sqlite")
            try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
            try Data(repeating: 7, count: count).write(to: file)
            await expectError(.historyDamaged, advice) { _ = try await folder.store() }
            #expect(try count > 0 || Data(contentsOf: file).isEmpty)
        }

        /// A program may be killed at that moment; the next one finishes the work.
        @Test func aHalfCreatedDatabaseIsCompleted() async throws {
            let files = try StoreFolder(folder.url)
            try files.createDatabase()
            #expect(try await folder.store().sessions().isEmpty)
            #expect(try folder.files().allSatisfy { $0.lastPathComponent != "beginning" })
        }

        @Test func aFolderThatCannotBeCreatedIsAnError() async throws {
            try Data().write(to: folder.url)
            await expectError(.outputFailed, folder.url.path) { _ = try await folder.store() }
            let inner = folder.url.appendingPathComponent("history")
            await expectError(.outputFailed) { _ = try await TranscriptStore.open(inner) }
            #expect(!TranscriptStore.exists(inner))
        }

        @Test func aDamagedPageIsReported() async throws {
            let store = try await folder.store()
            try await store.add((0..<500).map { " Text \($0)." })
            try await store.emptyLog()
            try store.pool.close()
            let file = try FileHandle(forUpdating: folder.url.appendingPathComponent("history.sqlite"))
            let size = Int(try file.seekToEnd())
            for page in stride(from: 4096, to: size, by: 4096) {
                try file.seek(toOffset: UInt64(page))
                try file.write(contentsOf: Data(repeating: 0xFF, count: 64))
            }
            try file.close()
            await expectError(.historyDamaged) { _ = try await folder.store().sessions() }
        }
    }

    /// A session's lock while others ask about it.
    struct SessionLockTests {
        private let folder: TemporaryFolder
        private let asker: OwnedDescriptor
        private var file: URL { folder.url.appendingPathComponent("lock") }

        /// Takes the lock as a query for recording does.
        init() throws {
            folder = try TemporaryFolder()
            let path = folder.url.appendingPathComponent("lock").path
            asker = OwnedDescriptor(open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600))
            try #require(flock(asker.rawValue, LOCK_SH | LOCK_NB) == 0)
        }

        @Test(arguments: [90, nil]) func aBriefQueryIsWaitedFor(end: Int?) throws {
            var pauses = 0
            let lock = try SessionLock(file) {
                pauses += 1
                if pauses == end { asker.unlockAndClose() }
            }
            #expect(pauses == end ?? 100 && (lock != nil) == (end != nil))
            withExtendedLifetime(lock) { #expect(lock == nil || SessionLock.isHeld(file)) }
        }
    }

    /// Several programs sharing a history, each with its own connection.
    struct TwoProgramsTests {
        private let folder = HistoryFolder()

        @Test(arguments: [false, true]) func severalProgramsCreateTheHistoryAtOnce(isEncrypted: Bool) async throws {
            let key = isEncrypted ? StoreKey.random() : .none
            let url = folder.url
            try await withThrowingTaskGroup { group in
                for number in 0..<6 {
                    group.addTask { try await TranscriptStore.open(url, key: key).add([" Number \(number)."]) }
                }
                try await group.waitForAll()
            }
            let store = try await folder.store(key)
            #expect(try await store.sessions().count == 6)
            #expect(try await store.search("number").count == 6)
        }

        @Test func severalProgramsWriteAtOnce() async throws {
            let stores = [try await folder.store(), try await folder.store()]
            let ids = try await withThrowingTaskGroup(of: UUID.self) { group in
                for store in stores {
                    group.addTask {
                        let writer = try await store.begin()
                        for number in 0..<100 {
                            try await writer.append([.saying(" number", number, utterance: number)])
                        }
                        try await writer.finish()
                        return writer.id
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            for id in ids { #expect(try await stores[0].segments(of: id).map(\.id) == Array(0..<100)) }
            #expect(try await stores[1].search("number", limit: 1000).count == 200)
        }

        @Test func oneProgramDeletesWhileAnotherRecords() async throws {
            let first = try await folder.store(), second = try await folder.store()
            let old = try await first.add([" Xylophone."])
            let writer = try await first.begin()
            try await writer.append([.saying(" One", 0)])
            try await second.delete([old])
            try await writer.append([.saying(" two.", 1)])
            try await writer.finish()
            #expect(try await second.transcript(of: writer.id).text == "One two.")
            #expect(try !folder.contains("Xylophone"))
        }
    }

    #if os(Linux) || os(macOS)
        /// A program killed while writing at full speed.
        @Suite(.timeLimit(.minutes(15))) struct KilledWriterTests {
            private let folder = HistoryFolder()

            /// Ten runs of each kind in CI, a hundred with `STENO_LONG`.
            @Test(arguments: [false, true]) func everyAcknowledgedSegmentIsThere(isEncrypted: Bool) async throws {
                var random = SplitMix64(seed: isEncrypted ? 2 : 1)
                try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
                let key = isEncrypted ? folder.url.appendingPathComponent("key") : nil
                for round in 0..<(isLong ? 100 : 10) {
                    let acknowledged = try killWriter(after: Int.random(in: 1...600, using: &random), key: key)
                    let store = try await folder.store(key.map { try .file($0) } ?? .none)
                    let sessions = try await store.sessions()
                    #expect(sessions.count == round + 1)
                    let session = try #require(sessions.first)
                    #expect(session.state == .interrupted)
                    let segments = try await store.segments(of: session.id)
                    // One more may be there if its acknowledgement was on its way.
                    #expect(segments.map(\.id) == Array(0..<segments.count) && session.segmentCount == segments.count)
                    #expect(segments.count >= acknowledged && segments.count <= acknowledged + 1)
                    #expect(segments.allSatisfy { $0.text == " number \($0.id)" })
                    #expect(try await store.partialText(of: session.id) == " after \(segments.count - 1)")
                    #expect(try await store.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") } == ["ok"])
                    #expect(
                        try await store.search("number \(segments.count - 1)", limit: 1000).contains {
                            $0.session == session.id
                        })
                }
            }

            /// Kills a writer after that many bytes of acknowledgements, and returns how many segments they cover.
            private func killWriter(after bytes: Int, key: URL?) throws -> Int {
                let process = Process()
                let program = try #require(BuiltTool.executable("StenoStoreTool"))
                process.executableURL = program
                process.arguments = ["write", folder.url.path] + (key.map { [$0.path] } ?? [])
                let pipe = Pipe()
                process.standardOutput = pipe
                try process.run()
                var output = Data()
                while output.count < bytes {
                    let more = pipe.fileHandleForReading.availableData
                    guard !more.isEmpty else { break }
                    output += more
                }
                kill(process.processIdentifier, SIGKILL)
                output += pipe.fileHandleForReading.readDataToEndOfFile()
                process.waitUntilExit()
                // A truncated number was acknowledged too.
                return String(decoding: output, as: UTF8.self).split(separator: "\n").count
            }
        }
    #endif
#endif
