#if Server
    import Steno
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
#endif
