#if Store
    import Foundation
    import GRDB
    import Steno
    import Testing

    @testable import StenoStore

    /// Several programs sharing a history, each with its own connection.
    struct TwoProgramsTests {
        private let folder = HistoryFolder()

        @Test(arguments: [false, true])
        func severalProgramsCreateTheHistoryAtOnce(isEncrypted: Bool) async throws {
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
#endif
