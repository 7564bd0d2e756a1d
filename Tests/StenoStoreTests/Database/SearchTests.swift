#if Store
    import Foundation
    import GRDB
    import Steno
    import StenoTestSupport
    import Testing

    @testable import StenoStore

    /// Full-text search, the same with and without encryption.
    struct SearchTests {
        private let folder = HistoryFolder()

        @Test(arguments: [false, true]) func wordsAreFoundWithoutCaseAccentsAndEndings(isEncrypted: Bool) async throws {
            let store = try await folder.store(isEncrypted: isEncrypted)
            let id = try await store.add([
                " The café in Zürich was crowded.", " We met again on Tuesday.", " Nothing else.",
            ])
            for (query, segments) in [
                ("cafe", [0]), ("ZURICH", [0]), ("crowd", [0]), ("met tues", [1]), ("cafe tuesday", []), ("", []),
                ("\"*(", []), ("NEAR(", []), ("\"met again\"", [1]), ("\"again met\"", []), ("\"again o\"", []),
                ("AND OR NOT", []), ("café-in", [0]),
            ] as [(String, [Int])] {
                let hits = try await store.search(query)
                #expect(hits.map(\.segment) == segments, "\(query)")
                #expect(hits.allSatisfy { $0.session == id })
            }
            let hit = try #require(try await store.search("zurich").first)
            #expect(hit.excerpt.filter(\.isMatch).map(\.text) == ["Zürich"])
            #expect(hit.excerpt.map(\.text).joined() == " The café in Zürich was crowded." && hit.start == 0)
        }

        @Test(arguments: [false, true]) func aPhraseAcrossSegmentsIsFound(isEncrypted: Bool) async throws {
            let (store, writer) = try await folder.begun(isEncrypted: isEncrypted)
            try await writer.append([.saying(" One sentence,", 0), .saying(" said", 1)])
            #expect(try await store.search("sentence").count == 1)
            try await writer.append([.saying(" in pieces.", 2), .saying(" Another.", 3, utterance: 1)])
            #expect(try await store.search("\"sentence, said in pieces\"").map(\.segment) == [0])
            #expect(try await store.search("sentence another").isEmpty)
            #expect(try await store.search("another").map(\.segment) == [3])
        }

        @Test func anUtteranceWithoutEndIsIndexedInPieces() async throws {
            let (store, writer) = try await folder.begun()
            for number in 0..<70 { try await writer.append([.saying(" word\(number)", number)]) }
            #expect(try await store.search("word69").map(\.segment) == [64])
            #expect(try await store.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM passage") } == 3)
        }

        @Test(arguments: [false, true])
        func scriptsWithoutSpacesAreSearchedBySubstring(isEncrypted: Bool) async throws {
            let store = try await folder.store(isEncrypted: isEncrypted)
            try await store.add(["今日は東京で会議があります。", "明天我們去北京。"])
            for (query, segments) in [("東京", [0]), ("会議", [0]), ("北京", [1]), ("京東", []), ("京", [0, 1])] {
                #expect(Set(try await store.search(query).map(\.segment)) == Set(segments), "\(query)")
            }
            let hit = try #require(try await store.search("東京").first)
            #expect(hit.excerpt.map(\.text).joined() == "今日は東京で会議があります。")
        }

        @Test(arguments: [false, true]) func theBestMatchComesFirst(isEncrypted: Bool) async throws {
            let store = try await folder.store(isEncrypted: isEncrypted)
            let often = try await store.add([" Budget, budget and once more the budget."])
            try await store.add(
                (0..<20).map { " A long sentence, number \($0), in which the budget is only mentioned once." })
            let hits = try await store.search("budget")
            #expect(hits.count == 21 && hits.first?.session == often)
            #expect(try await store.search("budget", limit: 3).count == 3)
        }

        /// Another program stores, edits or deletes text after the in-memory index was filled.
        @Test(arguments: [false, true]) func theIndexFollowsOtherPrograms(isEncrypted: Bool) async throws {
            let key = isEncrypted ? StoreKey.random() : .none
            let store = try await folder.store(key), other = try await folder.store(key)
            let first = try await other.add([" Alpha."])
            #expect(try await store.search("alpha").count == 1)
            let second = try await other.add([" Beta."])
            #expect(try await store.search("beta").count == 1)
            try await other.edit(0, of: second, " Gamma.")
            #expect(try await store.search("beta").isEmpty)
            #expect(try await store.search("gamma").count == 1)
            try await other.delete([first])
            #expect(try await store.search("alpha").isEmpty)
            #expect(try await store.search("gamma").count == 1)
        }

        /// The work of a search and of an append must not grow with the history: no query reads a whole table.
        @Test func noQueryReadsAWholeTable() async throws {
            let (store, writer) = try await folder.begun()
            try await writer.append([.saying(" One", 0)])
            _ = try await store.search("one")
            let append = try await queries(of: store, on: store.pool.write) {
                try SegmentWriter(store: store, session: writer.id, row: writer.row, database: $0)
                    .append([.saying(" two", 1)], language: nil)
            }
            let pattern = try #require(SearchText.pattern("one"))
            let search = try await queries(of: store, on: store.pool.read) {
                _ = try SearchIndex.matches(pattern, 10, $0)
            }
            let plans = try await store.pool.read { database in
                try (append + search).flatMap { sql in
                    try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN " + sql).map { $0["detail"] as String }
                }
            }
            #expect(append.count >= 4 && search.count == 1 && plans.count >= 4)
            for plan in plans {
                #expect(!plan.hasPrefix("SCAN") || plan.contains("VIRTUAL TABLE INDEX"), "\(plan)")
                #expect(!plan.contains("TEMP B-TREE"), "\(plan)")
            }
        }

        /// The statements that run while a body does, with their values.
        private func queries(
            of store: TranscriptStore,
            on access: (@escaping @Sendable (Database) throws -> [String]) async throws -> [String],
            _ body: @escaping @Sendable (Database) throws -> Void
        ) async throws -> [String] {
            try await access { database in
                let statements = Recorder<String>()
                database.trace { event in
                    if case .statement(let statement) = event { statements.add(statement.expandedSQL) }
                }
                defer { database.trace(options: [], nil) }
                try body(database)
                return statements.all.filter { ["SELECT", "INSERT", "UPDATE", "DELETE"].contains($0.prefix(6)) }
            }
        }
    }
#endif
