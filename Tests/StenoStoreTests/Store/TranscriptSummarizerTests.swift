#if Store
    import Testing

    @testable import StenoStore

    @Suite("A summary of spoken sentences")
    struct ExtractiveSummarizerTests {
        private let talk = [
            "Good morning, and welcome to everyone.", "The harbour bridge will be closed for repairs in March.",
            "I hope that you all had a pleasant journey.", "Repairs of the harbour bridge will take about three weeks.",
            "The weather was rather bad yesterday.", "During the repairs ferries will replace the harbour bridge.",
            "Lunch is at twelve.",
        ]

        @Test func itPicksCentralSentencesInTheirOrder() {
            let summary = ExtractiveSummarizer(sentences: 2).summary(of: talk)
            #expect(summary.text.contains("harbour bridge"))
            #expect(!summary.text.contains("weather"))
            #expect(summary.title == "The harbour bridge will be closed for repairs in March")
            let places = talk.indices.filter { summary.text.contains(talk[$0]) }
            #expect(places.count == 2)
            #expect(summary.text == places.map { talk[$0] }.joined(separator: " "))
        }

        @Test func aShortTextHasOnlyATitle() {
            #expect(ExtractiveSummarizer().summary(of: ["See you tomorrow."]).text == "")
            #expect(ExtractiveSummarizer().summary(of: ["See you tomorrow."]).title == "See you tomorrow")
            #expect(ExtractiveSummarizer().summary(of: []) == TranscriptSummary())
        }

        @Test func aLongTitleIsCutAfterAWord() {
            let sentence =
                "This is a sentence about nothing much that is a good deal longer than any title may ever be."
            let title = ExtractiveSummarizer().summary(of: [sentence]).title
            #expect(title.count <= 61)
            #expect(title.hasSuffix("…"))
            #expect(sentence.hasPrefix(title.dropLast() + " "))
        }

        @Test func aTextIsSplitIntoItsSentences() {
            #expect(
                Sentences.split(" It costs 3.50 euros. Really? Yes! e.g. this … and so on")
                    == ["It costs 3.50 euros.", "Really?", "Yes! e.g. this … and so on"])
            #expect(Sentences.split("今日は晴れです。明日は雨です。") == ["今日は晴れです。", "明日は雨です。"])
        }
    }
#endif
