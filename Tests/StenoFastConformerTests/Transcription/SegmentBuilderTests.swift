import StenoCore
import Testing

@testable import StenoFastConformer

/// Sentences from words.
struct SegmentBuilderTests {
    private static func segments(_ words: [(String, Double, Double)], keepsWords: Bool = false) -> [Segment] {
        var builder = SegmentBuilder(keepsWords: keepsWords)
        // One at a time, as they may arrive.
        for word in words {
            builder.append([UtteranceWord(text: word.0, start: word.1, end: word.2, probability: 0.5)])
        }
        builder.endSegment()
        return builder.takeSegments()
    }

    @Test func aSentenceIsASegment() {
        let words = [
            (" Is", 0.1, 0.3), (" it?", 0.3, 0.5), (" Yes", 0.6, 0.8), (" 3.5", 0.8, 1.0), (" “so.”", 1, 1.2),
            (" And", 2, 2.1),
        ]
        let segments = Self.segments(words)
        #expect(segments.map(\.text) == [" Is it?", " Yes 3.5 “so.”", " And"])
        #expect(segments.map(\.id) == [0, 1, 2])
        #expect(segments.map(\.start) == [0.1, 0.6, 2])
        #expect(segments.map(\.end) == [0.5, 1.2, 2.1])
        #expect(segments.allSatisfy { $0.words == nil })
    }

    @Test func aPauseEndsASegment() {
        #expect(Self.segments([(" a", 0, 1), (" b", 1.9, 2), (" c", 3, 4)]).map(\.text) == [" a b", " c"])
    }

    /// Some models write no punctuation.
    @Test func aSegmentHasAtMostTwentySeconds() {
        let words = (0..<50).map { (" w", Double($0), Double($0) + 0.5) }
        let segments = Self.segments(words)
        #expect(segments.count == 3)
        #expect(segments.allSatisfy { $0.end - $0.start <= 20 })
    }

    @Test func wordsAreKeptOnRequest() {
        let words = Self.segments([(" a", 0.123456, 0.2), (" b.", 0.2, 0.31)], keepsWords: true)[0].words
        #expect(
            words == [
                Word(rawText: " a", start: 0.12, end: 0.2, probability: 0.5),
                Word(rawText: " b.", start: 0.2, end: 0.31, probability: 0.5),
            ])
    }

    @Test func segmentsAreTakenOnce() {
        var builder = SegmentBuilder(keepsWords: false)
        builder.append([UtteranceWord(text: " a.", start: 0, end: 1), UtteranceWord(text: " b", start: 1, end: 2)])
        #expect(builder.takeSegments().map(\.text) == [" a."])
        #expect(builder.takeSegments().isEmpty)
        builder.endSegment()
        builder.endSegment()
        #expect(builder.takeSegments().map(\.id) == [1])
    }
}
