import Foundation
import Steno
import Testing

@testable import StenoStore

/// Full-text search, the same with and without encryption.
struct SearchTests {
    private let folder = HistoryFolder()

    @Test(arguments: [false, true])
    func wordsAreFoundWithoutCaseAccentsAndEndings(isEncrypted: Bool) async throws {
        let store = try await folder.store(isEncrypted ? .random() : .none)
        let id = try await store.add([" The café in Zürich was crowded.", " We met again on Tuesday.", " Nothing else."])
        for (query, segments) in [
            ("cafe", [0]), ("ZURICH", [0]), ("crowd", [0]), ("met tues", [1]), ("cafe tuesday", []), ("", []),
            ("\"*(", []), ("NEAR(", []),
        ] as [(String, [Int])] {
            let hits = try await store.search(query)
            #expect(hits.map(\.segment) == segments, "\(query)")
            #expect(hits.allSatisfy { $0.session == id })
        }
        let hit = try #require(try await store.search("zurich").first)
        #expect(hit.excerpt.filter(\.isMatch).map(\.text) == ["Zürich"])
        #expect(hit.excerpt.map(\.text).joined() == " The café in Zürich was crowded." && hit.start == 0)
        // What comes after the first search is found, too.
        try await store.add([" Zürich again."])
        #expect(try await store.search("zurich").count == 2)
        #expect(try await store.search("zurich", limit: 1).count == 1)
    }
}
