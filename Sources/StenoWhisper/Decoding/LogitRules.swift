import StenoCompute
import StenoCore

/// The rules applied to the logits before a token is chosen.
///
/// Their order and effect are CTranslate2's. A suppressed token's logit becomes the lowest finite number, not −∞, so
/// that sums of scores stay finite.
struct LogitRules: Sendable {
    /// The logit of a suppressed token.
    static let forbidden = -Float.greatestFiniteMagnitude

    var suppressed: [Int] = []
    /// Tokens suppressed as the first chosen token.
    var suppressedAtBegin: [Int] = []
    /// The timestamp rules; nil when the window is decoded without timestamps.
    var timestamps: TimestampRules?
    /// 1 is off.
    var repetitionPenalty: Float = 1
    /// 0 is off.
    var noRepeatNGramSize = 0

    /// Applies the rules to one row of logits.
    ///
    /// - Parameters:
    ///   - history: The window's tokens so far, forced ones first.
    ///   - forced: How many of these tokens were forced rather than chosen.
    func apply(to logits: UnsafeMutableBufferPointer<Float>, history: UnsafeBufferPointer<Int32>, forced: Int) {
        if repetitionPenalty != 1 { penalizeRepetition(logits, history) }
        if noRepeatNGramSize > 0 { forbidRepeatedNGrams(logits, history) }
        for token in suppressed { logits[token] = Self.forbidden }
        if history.count == forced {
            for token in suppressedAtBegin { logits[token] = Self.forbidden }
        }
        timestamps?.apply(to: logits, history: history, forced: forced)
    }

    /// Divides the logit of every token already written, once each, or multiplies it if it is negative.
    private func penalizeRepetition(
        _ logits: UnsafeMutableBufferPointer<Float>, _ history: UnsafeBufferPointer<Int32>
    ) {
        for (index, token) in history.enumerated() where !history[..<index].contains(token) {
            let logit = logits[Int(token)]
            logits[Int(token)] = logit < 0 ? logit * repetitionPenalty : logit / repetitionPenalty
        }
    }

    /// Suppresses every token that would complete an n-gram already present in the history.
    private func forbidRepeatedNGrams(
        _ logits: UnsafeMutableBufferPointer<Float>, _ history: UnsafeBufferPointer<Int32>
    ) {
        let known = noRepeatNGramSize - 1
        guard history.count > known else { return }
        let end = history.count - known
        for start in 0..<end where (0..<known).allSatisfy({ history[start + $0] == history[end + $0] }) {
            logits[Int(history[start + known])] = Self.forbidden
        }
    }
}

/// The grammar of timestamps: they enclose text in pairs, never decrease, and are chosen when their total probability
/// exceeds that of any text token.
///
/// openai-whisper's `ApplyTimestampRules`, with CTranslate2's treatment of forced tokens.
struct TimestampRules: Sendable {
    let endOfText: Int
    let noTimestamps: Int
    let timestampBegin: Int
    /// The latest timestamp with which a window may begin, in steps of 20 ms.
    let maxInitial: Int

    func apply(to logits: UnsafeMutableBufferPointer<Float>, history: UnsafeBufferPointer<Int32>, forced: Int) {
        logits[noTimestamps] = LogitRules.forbidden
        guard let last = history.last.map(Int.init) else { return begin(logits) }
        guard history.count > forced else { return }
        if last >= timestampBegin {
            let before = history.count - forced > 1 ? Int(history[history.count - 2]) : last
            if before >= timestampBegin {
                // A pair is complete: text comes next.
                forbid(timestampBegin..<logits.count, in: logits)
                return
            }
            // A segment has ended: its second timestamp follows, or the end of text.
            forbid(0..<endOfText, in: logits)
            forbid(timestampBegin..<last, in: logits)
        } else if let latest = history[forced...].last(where: { $0 >= timestampBegin }) {
            // Later than the previous one, so that no segment is empty.
            forbid(timestampBegin..<Int(latest) + 1, in: logits)
        }
        preferTimestamps(logits)
    }

    private func begin(_ logits: UnsafeMutableBufferPointer<Float>) {
        forbid(0..<timestampBegin, in: logits)
        forbid(min(timestampBegin + maxInitial + 1, logits.count)..<logits.count, in: logits)
    }

    /// Suppresses text when the timestamps' total probability exceeds that of every single text token.
    private func preferTimestamps(_ logits: UnsafeMutableBufferPointer<Float>) {
        guard let base = logits.baseAddress else { return }
        let time = Reductions.logSumExp(base + timestampBegin, count: logits.count - timestampBegin)
        guard time > Reductions.maximum(base, count: timestampBegin) else { return }
        forbid(0..<timestampBegin, in: logits)
    }

    private func forbid(_ range: Range<Int>, in logits: UnsafeMutableBufferPointer<Float>) {
        UnsafeMutableBufferPointer(rebasing: logits[range]).update(repeating: LogitRules.forbidden)
    }
}
