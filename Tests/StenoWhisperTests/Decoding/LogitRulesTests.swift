import Testing

@testable import StenoWhisper

/// The rules on a tiny vocabulary: text 0 … 4, end 5, special 6 … 7 (no timestamps), timestamps 8 … 13.
private let end = 5, noTimestamps = 7, time0 = 8, count = 14
private let rules = TimestampRules(endOfText: end, noTimestamps: noTimestamps, timestampBegin: time0, maxInitial: 2)

/// The tokens still allowed after the rules, if every logit is 0 except the last text token's, which is high.
private func allowed(_ rules: LogitRules, _ history: [Int], forced: Int = 0, text: Float = 10) -> [Int] {
    var logits = [Float](repeating: 0, count: count)
    logits[4] = text
    return changed(rules, history, forced: forced, logits).indices.filter { $0 != -1 }
        .filter { changed(rules, history, forced: forced, logits)[$0] != LogitRules.forbidden }
}

private func changed(_ rules: LogitRules, _ history: [Int], forced: Int = 0, _ logits: [Float]) -> [Float] {
    var logits = logits
    history.map(Int32.init).withUnsafeBufferPointer { history in
        logits.withUnsafeMutableBufferPointer { rules.apply(to: $0, history: history, forced: forced) }
    }
    return logits
}

struct TimestampRulesTests {
    /// A history, its number of forced tokens, the text's logit, and the tokens allowed next.
    static let cases: [(history: [Int], forced: Int, text: Float, next: [Int])] = [
        // The first token is a timestamp of at most 0.04 s.
        ([], 0, 10, [8, 9, 10]),
        // After the first timestamp, text: a single timestamp forms a pair with what precedes it.
        ([8], 0, 10, [0, 1, 2, 3, 4, 5, 6]), ([9], 0, 10, [0, 1, 2, 3, 4, 5, 6]),
        // After text, a later timestamp than the last one, so that no segment is empty.
        ([8, 1], 0, 10, [0, 1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 13]),
        ([10, 1, 2], 0, 10, [0, 1, 2, 3, 4, 5, 6, 11, 12, 13]),
        // After a segment's end, its pair (an equal or later timestamp) or end of text; four timestamps outweigh an end
        // of equal logit, one does not.
        ([8, 1, 10], 0, 10, [10, 11, 12, 13]),
        ([8, 1, 13], 0, 10, [5, 6, 13]),
        // After a pair, text.
        ([8, 1, 10, 10], 0, 10, [0, 1, 2, 3, 4, 5, 6]),
        ([8, 1, 10, 11, 2], 0, 10, [0, 1, 2, 3, 4, 5, 6, 12, 13]),
        // The timestamps together are more probable than any text token, so a timestamp follows.
        ([8, 1], 0, 0, [9, 10, 11, 12, 13]),
        ([8, 1, 13], 0, 0, [5, 6, 13]),
        // With one timestamp left, their sum equals that one, which does not exceed the others' maximum.
        ([8, 1, 12, 12, 1], 0, 0, [0, 1, 2, 3, 4, 5, 6, 13]),
        // After forced text, CTranslate2's only rule for the first chosen token is that about the no-timestamps token.
        ([8, 1], 2, 10, [0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13]),
        // A timestamp after it counts as a pair, because the forced tokens are ignored.
        ([8, 1, 10], 2, 10, [0, 1, 2, 3, 4, 5, 6]),
        ([12, 1, 2], 2, 10, [0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13]),
        ([8, 1, 9, 3], 2, 10, [0, 1, 2, 3, 4, 5, 6, 10, 11, 12, 13]),
    ]

    @Test(arguments: cases) func allowedTokens(_ it: (history: [Int], forced: Int, text: Float, next: [Int])) {
        var all = LogitRules()
        all.timestamps = rules
        #expect(allowed(all, it.history, forced: it.forced, text: it.text) == it.next)
    }

    /// Probabilities decide, not logits: six timestamps of equal logit together weigh 1.79 more than one.
    @Test func timestampsAreWeighedTogether() {
        var all = LogitRules()
        all.timestamps = rules
        #expect(allowed(all, [8, 1], text: 1.6) == [9, 10, 11, 12, 13])
        #expect(allowed(all, [8, 1], text: 1.61).contains(4))
    }

    /// A vocabulary that ends before the latest allowed first timestamp.
    @Test func aLimitBeyondTheVocabulary() {
        var all = LogitRules()
        all.timestamps = TimestampRules(endOfText: 5, noTimestamps: 7, timestampBegin: 8, maxInitial: 1500)
        #expect(allowed(all, []) == [8, 9, 10, 11, 12, 13])
    }
}

struct LogitRulesTests {
    @Test func noRulesChangeNothing() {
        let logits = (0..<count).map { Float($0) - 3 }
        #expect(changed(LogitRules(), [1, 2, 3], logits) == logits)
    }

    @Test func suppressedTokens() {
        var rules = LogitRules()
        rules.suppressed = [1, 9]
        rules.suppressedAtBegin = [0, end]
        #expect(allowed(rules, []) == [2, 3, 4, 6, 7, 8, 10, 11, 12, 13])
        #expect(allowed(rules, [2]) == [0, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13])
        // The beginning is the first chosen token, after forced tokens too.
        #expect(allowed(rules, [2, 3], forced: 2) == [2, 3, 4, 6, 7, 8, 10, 11, 12, 13])
    }

    /// CTRL's penalty: divided if positive, multiplied if negative, once per token however often it occurred.
    @Test func repetitionIsPenalized() {
        var rules = LogitRules()
        rules.repetitionPenalty = 2
        var logits = [Float](repeating: 1, count: count)
        logits[2] = -3
        let result = changed(rules, [1, 2, 1, 1], logits)
        #expect(result[1] == 0.5)
        #expect(result[2] == -6)
        #expect(result[0] == 1)
        // Tokens already suppressed stay at the lowest finite number or become −∞, and can never win.
        logits[1] = LogitRules.forbidden
        #expect(changed(rules, [1], logits)[1] <= LogitRules.forbidden)
    }

    @Test(arguments: [
        (1, [3, 4], [3, 4]), (2, [3, 4, 3], [4]), (2, [3, 4, 1, 3, 2, 3], [2, 4]), (2, [3], []),
        (3, [1, 2, 3, 1, 2], [3]), (3, [1, 2, 3, 2], []), (3, [1, 1, 1], [1]), (4, [1, 2, 3], []), (20, [1, 1], []),
    ]) func repeatedNGramsAreForbidden(size: Int, history: [Int], forbidden: [Int]) {
        var rules = LogitRules()
        rules.noRepeatNGramSize = size
        let next = allowed(rules, history)
        #expect((0..<count).filter { !next.contains($0) } == forbidden)
    }

    /// Penalty and n-grams see the logits before anything is suppressed, and the timestamps' total probability comes
    /// last.
    @Test func ruleOrderIsCTranslate2s() {
        var all = LogitRules()
        all.timestamps = rules
        all.suppressed = [4]
        // Text 4 outweighs the timestamps, but is suppressed before they are compared.
        #expect(allowed(all, [8, 1]) == [9, 10, 11, 12, 13])
    }
}
