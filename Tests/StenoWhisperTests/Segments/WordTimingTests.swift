import Testing

@testable import StenoCore
@testable import StenoWhisper

/// Each rule against implausible durations, with figures worked out by hand.
struct WordTimingTests {
    private static let endOfText = 100

    /// Words of one token each; the ones of 0.2 s make 0.2 s the median, and 0.4 s the longest that is believed.
    private func timing(_ words: [(text: String, start: Double, end: Double)], appended: String = "") -> WordTiming {
        WordTiming(
            words.enumerated().map {
                UtteranceWord(text: $1.text, handle: [$0], start: $1.start, end: $1.end, probability: 0.25)
            }, merger: PunctuationMerger(prepended: "", appended: appended))
    }

    /// All words in one segment.
    private func attached(
        _ words: [(text: String, start: Double, end: Double)], segment: ClosedRange<Double>? = nil,
        offset: Double = 0, lastSpeech: Double = 0
    ) -> SegmentDraft {
        let span = segment ?? (words.first?.start ?? 0)...(words.last?.end ?? 0)
        var drafts = [draft(span, words.count)]
        timing(words).attach(to: &drafts, offset: offset, lastSpeech: lastSpeech, endOfText: Self.endOfText)
        return drafts[0]
    }

    private func draft(_ span: ClosedRange<Double>, _ count: Int) -> SegmentDraft {
        SegmentDraft(
            startFrame: Int((span.lowerBound * 100).rounded()), endFrame: Int((span.upperBound * 100).rounded()),
            tokens: [Self.endOfText] + Array(0..<count) + [Self.endOfText + 50])
    }

    /// Starts and ends, without the noise of adding tenths.
    private func times(_ draft: SegmentDraft) -> [[Double]] {
        (draft.words ?? []).map { [$0.start, $0.end].map { ($0 * 1e6).rounded() / 1e6 } }
    }

    @Test(arguments: [".", "。", "!", "！", "?", "？"]) func punctuationIsNoLongPause(mark: String) {
        let heard = attached([(" a", 0, 0.2), (" b", 0.2, 0.4), (mark, 0.4, 3), (" c", 3, 3.2)])
        #expect(times(heard) == [[0, 0.2], [0.2, 0.4], [0.4, 0.8], [3, 3.2]])
    }

    @Test func theWordAfterASentenceBeginsLate() {
        let heard = attached([(" a", 0, 0.2), (".", 0.2, 0.4), (" b", 0.4, 3), (" c", 3, 3.2)])
        #expect(times(heard) == [[0, 0.2], [0.2, 0.4], [2.6, 3], [3, 3.2]])
    }

    /// Other long words are plausible, and so is the first, whatever it is.
    @Test func onlyAtTheEndsOfSentences() {
        let heard = attached([(" a", 0, 0.2), (",", 0.2, 0.4), (" b", 0.4, 3), (" c", 3, 3.2)])
        #expect(times(heard)[2] == [0.4, 3])
        #expect(times(attached([(".", 0, 0.7), (" b", 0.7, 0.9), (" c", 0.9, 1.1)]))[0] == [0, 0.7])
        // Twice the median is still plausible.
        let longest = attached([(" a", 0, 0.25), (".", 0.25, 0.75), (" b", 0.75, 1)])
        #expect(times(longest)[1] == [0.25, 0.75])
    }

    /// The median is of the durations that are not 0, and at most 0.7 s.
    @Test func theMedian() {
        let slow = attached([(" a", 0, 1), (".", 1, 5), (" b", 5, 6)])
        #expect(times(slow)[1] == [1, 2.4])
        let zeros = attached([(" a", 0, 0), (" b", 0, 0), (" c", 0, 0.5), (".", 0.5, 3), (" d", 3, 3.5)])
        #expect(times(zeros)[3] == [0.5, 1.5])
        // The mean of the middle two: 0.3 s.
        let even = attached([(" a", 0, 0.2), (" b", 0.2, 0.6), (" c", 0.6, 0.8), (".", 0.8, 9)])
        #expect(times(even)[3] == [0.8, 1.4])
        #expect(times(attached([(" a", 1, 1), (".", 1, 1)])) == [[1, 1], [1, 1]])
    }

    @Test func theFirstWordsAfterAPause() {
        let words = [(" a", 1.0, 3.0), (" b", 3.0, 3.2), (" c", 3.2, 3.4), (" d", 3.4, 3.6)]
        #expect(times(attached(words))[0] == [2.6, 3])
        // Heard no more than four medians ago, so not a pause.
        #expect(times(attached(words, lastSpeech: 2.25))[0] == [1, 3])
        #expect(times(attached(words, lastSpeech: 2.15))[0] == [2.6, 3])
        // The first two words after a pause.
        let short = [(" c", 6.0, 6.2), (" d", 6.2, 6.4), (" e", 6.4, 6.6)]
        #expect(times(attached([(" a", 1.0, 3.0), (" b", 3.0, 6.0)] + short)).prefix(2) == [[5.2, 5.6], [5.6, 6]])
        // The first is short enough, but both together are not.
        let pair = [(" a", 1.0, 1.3), (" b", 1.3, 2.0), (" c", 2.0, 2.2), (" d", 2.2, 2.4), (" e", 2.4, 2.6)]
        #expect(times(attached(pair)).prefix(2) == [[1.2, 1.6], [1.6, 2]])
        let believed = [(" a", 1.0, 1.2), (" b", 1.2, 1.7), (" c", 1.7, 1.9), (" d", 1.9, 2.1)]
        #expect(times(attached(believed)).prefix(2) == [[1, 1.2], [1.2, 1.7]])
    }

    /// A segment's pause is measured from the end of the one before it.
    @Test func theNextSegmentFollowsTheLast() {
        var drafts = [draft(0...0.4, 2), draft(0.4...2, 3)]
        drafts[1].tokens = [2, 3, 4]
        let words = [(" a", 0.0, 0.2), (" b", 0.2, 0.4), (" c", 0.4, 2.0), (" d", 2.0, 2.2), (" e", 2.2, 2.4)]
        timing(words).attach(to: &drafts, offset: 0, lastSpeech: 0, endOfText: Self.endOfText)
        #expect(times(drafts[0]) == [[0, 0.2], [0.2, 0.4]])
        #expect(times(drafts[1]) == [[1.6, 2], [2, 2.2], [2.2, 2.4]])
    }

    /// A long word that directly follows the segment before it is plausible, however long ago the window before ended.
    @Test func theNextSegmentWithoutAPause() {
        var drafts = [draft(0...0.4, 2), draft(0.4...1.5, 3)]
        drafts[1].tokens = [2, 3, 4]
        let words = [(" a", 0.0, 0.2), (" b", 0.2, 0.4), (" c", 0.4, 1.1), (" d", 1.1, 1.3), (" e", 1.3, 1.5)]
        timing(words).attach(to: &drafts, offset: 0, lastSpeech: 0, endOfText: Self.endOfText)
        #expect(times(drafts[1]) == [[0.4, 1.1], [1.1, 1.3], [1.3, 1.5]])
    }

    @Test func wordTimesTakePrecedence() {
        let heard = attached([(" a", 1, 1.2), (" b", 1.2, 1.4)], segment: 0.8...1.7, lastSpeech: 1)
        #expect(heard.start == 1 && heard.end == 1.4)
        // A difference of half a second is plausible.
        let within = attached([(" a", 1, 1.7), (" b", 1.7, 2.4)], segment: 1.5...1.9, lastSpeech: 1)
        #expect(within.start == 1 && within.end == 2.4)
    }

    @Test func segmentTimesTakePrecedenceOverALongWord() {
        let words = [(" a", 1.0, 2.2), (" b", 2.2, 2.4), (" c", 2.4, 2.6), (" d", 2.6, 4.0), (" e", 4.0, 4.2)]
        let start = attached(words, segment: 1.8...4.2, lastSpeech: 1.9)
        #expect(start.start == 1.8 && times(start)[0] == [1.8, 2.2])
        // The word keeps the median.
        let late = attached(words, segment: 2.1...4.2, lastSpeech: 1.9)
        #expect(late.start == 2.1 && times(late)[0] == [2, 2.2])
    }

    @Test func segmentTimesTakePrecedenceOverALongLastWord() {
        let words = [(" a", 1.0, 1.2), (" b", 1.2, 1.4), (" c", 1.4, 1.6), (" d", 1.6, 3.0)]
        let end = attached(words, segment: 1...2.1, lastSpeech: 0.9)
        #expect(end.end == 2.1 && times(end)[3] == [1.6, 2.1])
        let early = attached(words, segment: 1...1.7, lastSpeech: 0.9)
        #expect(early.end == 1.7 && times(early)[3] == [1.6, 1.8])
        // A segment cannot end before its last word starts.
        let before = attached(words, segment: 1...1.5, lastSpeech: 0.9)
        #expect(before.end == 3 && times(before)[3] == [1.6, 3])
    }

    @Test func wordsGoToTheSegmentOfTheirTokens() {
        var drafts = [draft(0...0.4, 3), draft(0.4...0.6, 0), draft(0.6...1, 2)]
        (drafts[0].tokens, drafts[2].tokens) = ([100, 0, 1, 2, 120], [150, 3, 4, 160])
        let words = [(" a", 0.0, 0.2), (" b", 0.2, 0.4), (".", 0.4, 0.4), (" c", 0.6, 0.8), (" d", 0.8, 1.0)]
        timing(words, appended: ".").attach(to: &drafts, offset: 30, lastSpeech: 29.9, endOfText: Self.endOfText)
        #expect(drafts.map { $0.words?.map(\.rawText) } == [[" a", " b."], [], [" c", " d"]])
        #expect(times(drafts[0]) == [[30, 30.2], [30.2, 30.4]])
        #expect(drafts[0].start == 30 && drafts[2].end == 31)
        // Without words a segment keeps its own times.
        #expect(drafts[1].start == 0.4 && drafts[1].end == 0.6)
        #expect(drafts[2].words?[0].probability == 0.25)
    }

    /// Times are rounded to hundredths, half to even, after the offset was added.
    @Test func timesAreHundredths() {
        let heard = attached([(" a", 0.02, 0.24), (" b", 0.24, 0.46)], offset: 12.344, lastSpeech: 12.3)
        #expect(times(heard) == [[12.36, 12.58], [12.58, 12.8]])
        // No words.
        var drafts = [draft(1...2, 3)]
        timing([]).attach(to: &drafts, offset: 0, lastSpeech: 0, endOfText: Self.endOfText)
        #expect(drafts[0].words == [] && drafts[0].start == 1 && drafts[0].end == 2)
    }
}
