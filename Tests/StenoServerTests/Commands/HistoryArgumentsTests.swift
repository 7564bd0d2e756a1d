#if Server
    import Foundation
    import Steno
    import StenoStore
    import Testing

    @testable import StenoServerTool

    /// Passphrases for histories.
    struct HistoryArgumentsTests {
        /// Types these texts in order.
        private final class Typist {
            private var texts: [String]
            private(set) var prompts: [String] = []

            init(_ texts: String...) { self.texts = texts }

            func answer(_ prompt: String) -> String? {
                prompts.append(prompt)
                return texts.isEmpty ? nil : texts.removeFirst()
            }
        }

        @Test func thePassphraseOfANewHistoryIsTypedTwice() throws {
            let typist = Typist("correct horse", "correct horse")
            #expect(try HistoryArguments.passphrase(isNew: true, ask: typist.answer) == "correct horse")
            #expect(typist.prompts.count == 2)
        }

        @Test func differingPassphrasesAreRefused() {
            let error = #expect(throws: StenoError.self) {
                try HistoryArguments.passphrase(isNew: true, ask: Typist("correct horse", "correct hrose").answer)
            }
            #expect(error?.code == .invalidOption && error?.message.contains("differ") == true)
        }

        @Test func anExistingHistoryAsksOnce() throws {
            let typist = Typist("correct horse")
            #expect(try HistoryArguments.passphrase(isNew: false, ask: typist.answer) == "correct horse")
            let error = #expect(throws: StenoError.self) {
                try HistoryArguments.passphrase(isNew: false, ask: typist.answer)
            }
            #expect(error?.message.contains("STENO_HISTORY_PASSPHRASE") == true)
        }
    }

    /// History commands print no control characters that users of the page typed.
    struct PrintedTextTests {
        private static let malicious = "Lunch\u{1B}]0;x\u{07}\n3f2a91b0  2026-11-24 09:00\u{9B}2J\u{7F}"
        private static let harmless = "Lunch\u{FFFD}]0;x\u{FFFD} 3f2a91b0  2026-11-24 09:00\u{FFFD}2J\u{FFFD}"

        @Test func listsSearchHitsAndTextsAreSafe() throws {
            let json = """
                {"id": "3F2A91B0-0000-4000-8000-000000000000", "title": "", "source": "", "start": 0, "duration": 1,
                 "language": "\\u001b[0m", "state": "finished", "segmentCount": 1}
                """
            let decoder = JSONDecoder()
            var fields = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
            fields["title"] = Self.malicious
            let session = try decoder.decode(
                StoredSession.self, from: try JSONSerialization.data(withJSONObject: fields))
            let table = HistoryList.table([session])
            #expect(table.contains(Self.harmless) && !table.contains("\u{1B}"))
            #expect(table.split(separator: "\n").count == 1)
            let segment = Segment(id: 0, start: 0, end: 1, text: " " + Self.malicious, speaker: "Ann\u{1B}c")
            #expect(HistoryShow.line(segment, timestamps: false) == "Ann\u{FFFD}c: \(Self.harmless)\n")
            let hit = try decoder.decode(
                SearchHit.self,
                from: try JSONSerialization.data(withJSONObject: [
                    "session": "3F2A91B0-0000-4000-8000-000000000000", "segment": 0, "start": 0, "end": 1, "rank": 0,
                    "excerpt": [["text": Self.malicious, "isMatch": true]],
                ]))
            #expect(FoundPlace(hit, session).line.hasSuffix("  \(Self.harmless)\n"))
        }
    }
#endif
