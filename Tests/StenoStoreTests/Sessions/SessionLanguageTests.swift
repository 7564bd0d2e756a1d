#if Store
    import Foundation
    import Testing

    @testable import StenoStore

    struct SessionLanguageTests {
        @Test func aLanguageThatWasDetectedIsKept() async throws {
            let folder = HistoryFolder()
            let store = try await folder.store()
            let writer = try await store.begin(title: "", source: "test", language: nil, model: "base")
            #expect(try await store.sessions().first?.language == nil)
            try await writer.setLanguage("de")
            try await writer.finish()
            // Another connection reads what was written.
            #expect(try await folder.store().sessions().map(\.language) == ["de"])
        }
    }
#endif
