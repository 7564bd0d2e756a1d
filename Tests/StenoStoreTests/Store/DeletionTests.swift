#if Store
    import Foundation
    import GRDB
    import Steno
    import StenoTestSupport
    import Testing

    @testable import StenoStore

    struct DeletionTests {
        private let folder = HistoryFolder()

        @Test func deletedTextIsInNoFile() async throws {
            let store = try await folder.store()
            let kept = try await store.add([" Marmalade stays."])
            let gone = try await store.add(
                (0..<200).map { " The secret number \($0) is xylophone, \(String(repeating: "long ", count: $0))." },
                title: "Xanadu")
            try await store.edit(3, of: gone, " Zither in place of it.")
            #expect(try folder.contains("xylophone") && folder.contains("Xanadu") && folder.contains("Zither"))
            try await store.delete([gone])
            for secret in ["xylophone", "ylophon", "Xanadu", "anadu", "Zither", "ither", "secret"] {
                #expect(try !folder.contains(secret), "\(secret)")
            }
            #expect(try await store.sessions().map(\.id) == [kept])
            #expect(try await store.search("xylophone").isEmpty)
            #expect(try await store.search("marmalade").count == 1)
            #expect(try await store.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") } == ["ok"])
            await expectError(.sessionNotFound) { _ = try await store.session(gone) }
            await expectError(.sessionNotFound) { try await store.delete([gone]) }
        }

        @Test func aDeletionOnAFullDiskSaysWhatHelps() async throws {
            let store = try await folder.store()
            let id = try await store.add([" One."])
            // The database must grow, but may not.
            try await store.write { database in
                try database.execute(
                    sql: "CREATE TRIGGER no_room BEFORE DELETE ON segment BEGIN "
                        + "INSERT INTO setting VALUES ('room', zeroblob(10000000)); END")
                try database.execute(sql: "PRAGMA max_page_count = 1")
            }
            await expectError(.outputFailed, "remove something else") { try await store.delete([id]) }
            #expect(try await store.segments(of: id).count == 1)
        }

        @Test func textOfSuccessiveDeletionsIsInNoFile() async throws {
            let store = try await folder.store()
            let words = ["apricot", "blueberry", "cranberry", "damson"]
            var ids: [UUID] = []
            for word in words { ids.append(try await store.add((0..<30).map { " \(word) \($0)" })) }
            for (id, word) in zip(ids, words) {
                #expect(try folder.contains(word))
                try await store.delete([id])
                #expect(try !folder.contains(word) && !folder.contains(String(word.dropFirst(2))), "\(word)")
            }
            #expect(try await store.sessions().isEmpty)
        }

        /// Another program reads an older state of the database from the log.
        ///
        /// Some callers only need the session to be gone.
        @Test(arguments: [false, true]) func aReaderThatKeepsTheLogIsReported(isTrying: Bool) async throws {
            let store = try await folder.store {}
            let id = try await store.add([" Xylophone."])
            let other = try await LogReader(store)
            if isTrying {
                let failure = try await store.deleteTryingLog([id]) as? StenoError
                #expect(failure?.message.contains("another program reads") == true)
                #expect(try await store.sessions().isEmpty)
                await expectError(.sessionNotFound) { _ = try await store.deleteTryingLog([id]) }
            } else {
                await expectError(.outputFailed, "another program reads") { try await store.delete([id]) }
            }
            try await other.end()
            #expect(try await store.deleteTryingLog([store.add([" Other."])]) == nil)
            #expect(try !folder.contains("Xylophone"))
        }

        @Test func aDeletionWaitingForAReaderBlocksNoWriter() async throws {
            let between = Recorder<@Sendable () async throws -> Void>(), failures = Recorder<String>()
            let store = try await folder.store {
                for action in between.all {
                    do { try await action() } catch { failures.add("\(error)") }
                }
            }
            let own = try await store.begin()
            let id = try await store.add([" Xylophone."])
            // Another program records without waiting, so it fails while the database is locked.
            let program = try await folder.store()
            let other = try await program.begin()
            try await program.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA busy_timeout = 0") }
            let reader = try await LogReader(store)
            between.add {
                try await other.append([.saying(" Zither", 0)])
                try await own.append([.saying(" Marimba", 0)])
                try await reader.end()
            }
            try await store.delete([id])
            #expect(failures.all.isEmpty)
            #expect(try !folder.contains("Xylophone"))
            #expect(try await store.transcript(of: other.id).text == "Zither")
            #expect(try await store.transcript(of: own.id).text == "Marimba")
            let timeout = try await store.write { try Int.fetchOne($0, sql: "PRAGMA busy_timeout") }
            #expect(timeout == 10_000, "those who store texts wait as long as before")
            // The closure and the store retain each other.
            between.removeAll()
        }

        /// A client that disconnects cancels its request.
        @Test func theLogIsEmptiedEvenIfTheTaskIsCancelledAfterTheDeletion() async throws {
            let store = try await folder.store()
            try await store.add([" Xylophone."])
            let isCancelled = try await Task {
                try await store.write { try $0.execute(sql: "DELETE FROM segment; DELETE FROM search") }
                withUnsafeCurrentTask { $0?.cancel() }
                try await store.emptyLog()
                return Task.isCancelled
            }.value
            #expect(isCancelled)
            #expect(try Data(contentsOf: folder.url.appendingPathComponent("history.sqlite-wal")).isEmpty)
        }

        @Test func anUnwritableLogIsNotBlamedOnAnotherProgram() throws {
            let error = DatabaseFailure.explainLog(DatabaseError(resultCode: .SQLITE_IOERR)) as? StenoError
            let message = try #require(error?.message)
            #expect(message.contains("history's log") && message.contains("disk"))
            #expect(!message.contains("another program"))
        }

        @Test func aClearedSessionContinuesWithoutItsText() async throws {
            let (store, writer) = try await folder.begun()
            try await writer.append([.saying(" Xylophone.", 0)], partial: " Zither")
            try await writer.clear()
            #expect(try !folder.contains("Xylophone") && !folder.contains("Zither"))
            try await writer.append([.saying(" Marimba.", 1)])
            #expect(try await store.segments(of: writer.id).map(\.text) == [" Marimba."])
            #expect(try await store.session(writer.id).segmentCount == 1)
        }

        /// The statements that rewrite a store's index from now on.
        private func rewritings(in store: TranscriptStore) async throws -> Recorder<String> {
            let statements = Recorder<String>()
            try await store.pool.writeWithoutTransaction { database in
                database.trace { event in
                    guard case .statement(let statement) = event else { return }
                    if statement.expandedSQL.contains("'optimize'") { statements.add(statement.expandedSQL) }
                }
            }
            return statements
        }

        /// The longer the history, the longer that takes.
        @Test func theIndexIsRewrittenOnceForAllSessions() async throws {
            let store = try await folder.store()
            let empty = try await store.begin().id
            var ids: [UUID] = []
            for text in [" One.", " Two.", " Three."] { ids.append(try await store.add([text])) }
            let rewritings = try await rewritings(in: store)
            try await store.delete([empty])
            #expect(rewritings.all.isEmpty)
            try await store.delete(ids)
            #expect(rewritings.all.count == 1)
            #expect(try await store.sessions().isEmpty)
        }

        @Test func oldSessionsAreDeleted() async throws {
            let store = try await folder.store()
            let day = 86_400.0
            for age in [40, 20] {
                let writer = try await store.begin(
                    title: "\(age)", start: Date(timeIntervalSinceNow: -Double(age) * day))
                try await writer.append([.saying(" Old", 0)])
            }
            let recording = try await store.begin(start: Date(timeIntervalSinceNow: -50 * day))
            try await store.add([" New"])
            let date = Date(timeIntervalSinceNow: -30 * day)
            #expect(try await store.sessions(endedBefore: date).map(\.title) == ["40"])
            #expect(try await store.deleteSessions(endedBefore: date).map(\.title) == ["40"])
            #expect(try await store.sessions().map(\.title) == ["", "20", ""])
            #expect(try await store.sessions().last?.id == recording.id)
        }

        /// Each session is an open file while it is locked.
        @Test func manyOldSessionsAreDeletedInSlices() async throws {
            let store = try await folder.store()
            var ids: [UUID] = []
            for number in 0..<5 { ids.append(try await store.add([" Xylophone \(number)."])) }
            let rewritings = try await rewritings(in: store)
            #expect(try await store.deleteSessions(endedBefore: .distantFuture, slice: 2).map(\.id) == ids.reversed())
            #expect(rewritings.all.count == 3)
            #expect(try await store.sessions().isEmpty)
            #expect(try !folder.contains("Xylophone"))
        }

        /// Between listing and locking, another program continues one session and deletes another.
        @Test func sessionsThatChangeDuringPruningStay() async throws {
            let store = try await folder.store()
            let oldest = try await store.add([" One."])
            let resumed = try await store.add([" Two."])
            let gone = try await store.add([" Three."])
            let newest = try await store.add([" Four."])
            let listed = try await store.sessions()
            var writer: SessionWriter? = try await store.resume(resumed).writer
            try await store.delete([gone])
            #expect(try await store.delete(listed[...], endedBefore: .distantFuture).map(\.id) == [newest, oldest])
            #expect(try await store.sessions().map(\.id) == [resumed])
            try await writer?.finish()
            writer = nil
            // Now it is finished again, but no longer old.
            #expect(try await store.delete(listed[...], endedBefore: listed[0].start.addingTimeInterval(-1)).isEmpty)
            #expect(try await store.sessions().map(\.id) == [resumed])
        }
    }
#endif
