#if Store
    import Foundation
    import GRDB
    import Steno
    import Testing

    @testable import StenoStore

    /// What is deleted is gone.
    struct DeletionTests {
        private let folder = HistoryFolder()

        @Test func whatWasDeletedIsInNoFile() async throws {
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
            let check = try await store.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") }
            #expect(check == ["ok"])
            await expectError(.sessionNotFound) { _ = try await store.session(gone) }
            await expectError(.sessionNotFound) { try await store.delete([gone]) }
        }

        @Test func oneAfterTheOtherIsInNoFileEither() async throws {
            let store = try await folder.store()
            let words = ["apricot", "blueberry", "cranberry", "damson"]
            let ids = try await words.asyncMap { word in try await store.add((0..<30).map { " \(word) \($0)" }) }
            for (id, word) in zip(ids, words) {
                #expect(try folder.contains(word))
                try await store.delete([id])
                #expect(try !folder.contains(word) && !folder.contains(String(word.dropFirst(2))), "\(word)")
            }
            #expect(try await store.sessions().isEmpty)
        }

        /// Another program reads an older state of the database, which is in the log.
        @Test func aReaderThatKeepsTheLogIsReported() async throws {
            let store = try await folder.store()
            let id = try await store.add([" Xylophone."])
            var configuration = Configuration()
            configuration.readonly = true
            configuration.allowsUnsafeTransactions = true
            let other = try DatabaseQueue(path: store.files.database.path, configuration: configuration)
            try await store.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA busy_timeout = 0") }
            try await other.unsafeRead { database in
                try database.beginTransaction()
                _ = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM session")
            }
            await expectError(.outputFailed, "the log") { try await store.delete([id]) }
            try await other.unsafeRead { try $0.commit() }
            let next = try await store.add([" Other."])
            try await store.delete([next])
            #expect(try !folder.contains("Xylophone"))
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
            let new = try await store.add([" New"])
            let deleted = try await store.deleteSessions(endedBefore: Date(timeIntervalSinceNow: -30 * day))
            #expect(deleted.map(\.title) == ["40"])
            #expect(try await store.sessions().map(\.title) == ["", "20", ""])
            #expect(try await store.sessions().last?.id == recording.id)
            _ = new
        }
    }

    extension Sequence {
        fileprivate func asyncMap<Value>(_ body: (Element) async throws -> Value) async rethrows -> [Value] {
            var values: [Value] = []
            for element in self { values.append(try await body(element)) }
            return values
        }
    }
#endif
