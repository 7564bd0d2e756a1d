import StenoCore

/// Finds likely hallucinations: improbable or implausibly timed words with silence around them (openai-whisper's
/// `hallucination_silence_threshold`).
struct HallucinationFilter: Sendable {
    /// The silence, in seconds, that makes anomalous words suspect.
    let threshold: Double

    private static let punctuation = "\"'“¿([{-\"'.。,，!！?？:：”)]}、"
    /// The maximum number of a segment's words that are examined.
    private static let wordCount = 8
    /// Silence is assumed within this many seconds of a window's edge, whatever the threshold.
    private static let edge = 2.0

    /// What to do with a window's segments.
    enum Verdict: Equatable {
        /// Nothing is suspect.
        case keep
        /// The first segment is suspect and begins late: discard the window and continue at this frame.
        case restart(frame: Int)
        /// Keep the segments before this one and continue at the frame.
        case cut(segment: Int, frame: Int)
    }

    /// - Parameters:
    ///   - window: The window's audio, in seconds.
    ///   - fullWindowEnd: The end of the window if it were full.
    ///   - lastSpeech: The end of the last word before the window.
    ///   - content: The number of frames in the whole recording, if known.
    func verdict(
        _ drafts: [SegmentDraft], window: Range<Double>, fullWindowEnd: Double, lastSpeech: Double, content: Int?
    ) -> Verdict {
        let offset = window.lowerBound
        if let first = drafts.first(where: \.hasWords), isAnomalous(first), first.start - offset > threshold {
            return .restart(frame: frame(offset) + frame(first.start - offset))
        }
        var lastEnd = lastSpeech
        for (index, draft) in drafts.enumerated() where draft.hasWords {
            if isAnomalous(draft) {
                let next = drafts[(index + 1)...].first(where: \.hasWords)
                let nextStart = next?.words?.first?.start ?? window.upperBound
                let silentBefore =
                    draft.start - lastEnd > threshold || draft.start < threshold || draft.start - offset < Self.edge
                let silentAfter =
                    nextStart - draft.end > threshold || (next.map(isAnomalous) ?? false)
                    || fullWindowEnd - draft.end < Self.edge
                if silentBefore, silentAfter {
                    return .cut(segment: index, frame: resume(after: draft, offset: offset, content: content))
                }
            }
            lastEnd = draft.end
        }
        return .keep
    }

    /// The frame to continue at: one second on at least, at the suspect segment, or at the end if only silence remains.
    private func resume(after draft: SegmentDraft, offset: Double, content: Int?) -> Int {
        if let content, Double(content) / 100 - draft.end < threshold { return content }
        return frame(max(offset + 1, draft.start))
    }

    private func isAnomalous(_ draft: SegmentDraft) -> Bool {
        guard let all = draft.words, !all.isEmpty else { return false }
        let words = all.filter { !$0.rawText.isContained(in: Self.punctuation) }.prefix(Self.wordCount)
        let score = words.map(anomaly).reduce(0, +)
        return score >= 3 || score + 0.01 >= Double(words.count)
    }

    /// How anomalous a word is: improbable, shorter than 0.133 s or longer than 2 s.
    private func anomaly(_ word: Word) -> Double {
        let duration = word.end - word.start
        return (word.probability < 0.15 ? 1 : 0) + max(0, 0.133 - duration) * 15 + max(0, duration - 2)
    }

    private func frame(_ seconds: Double) -> Int { Int((seconds * 100).rounded(.toNearestOrEven)) }
}
