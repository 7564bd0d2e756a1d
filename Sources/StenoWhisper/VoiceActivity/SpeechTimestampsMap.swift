/// Puts times of a sound without its silence back to where they were in the original: faster-whisper's
/// `SpeechTimestampsMap`.
public struct SpeechTimestampsMap: Sendable {
    /// Where each chunk ends when only the chunks are joined, in samples.
    private let ends: [Int]
    /// The silence before each chunk, in seconds.
    private let silences: [Double]

    /// Creates a map for chunks of speech in samples, in order.
    public init(_ chunks: [Range<Int>]) {
        var ends: [Int] = []
        var silences: [Double] = []
        var previous = 0, silence = 0
        for chunk in chunks {
            silence += chunk.lowerBound - previous
            previous = chunk.upperBound
            ends.append(chunk.upperBound - silence)
            silences.append(VoiceActivity.seconds(silence))
        }
        self.ends = ends
        self.silences = silences
    }

    /// The chunk in which a time lies; a time after the last chunk belongs to that one.
    ///
    /// - Parameters:
    ///   - time: Seconds in the joined chunks.
    ///   - isEnd: Whether something ends there: exactly between two chunks, it then belongs to the earlier one.
    public func chunkIndex(at time: Double, isEnd: Bool = false) -> Int {
        let sample = Int(time * Double(VoiceActivity.sampleRate))
        let after = firstEnd { $0 > sample }
        if isEnd {
            let reached = firstEnd { $0 >= sample }
            if reached < after { return reached }
        }
        return min(after, ends.count - 1)
    }

    /// The time in the original, rounded to hundredths of a second.
    ///
    /// - Parameters:
    ///   - time: Seconds in the joined chunks.
    ///   - chunk: The chunk it belongs to; nil is the one in which it lies.
    ///   - isEnd: As in ``chunkIndex(at:isEnd:)``.
    public func originalTime(_ time: Double, chunk: Int? = nil, isEnd: Bool = false) -> Double {
        guard !ends.isEmpty else { return time }
        return Hundredths.rounded(silences[chunk ?? chunkIndex(at: time, isEnd: isEnd)] + time)
    }

    /// A segment, and its words, at the times of the original.
    ///
    /// A word goes where its middle is, so that it does not stretch over a silence. The segment's ``Segment/seek``
    /// stays what it was: a place in the joined chunks.
    public func restore(_ segment: Segment) -> Segment {
        guard !ends.isEmpty else { return segment }
        var restored = segment
        if let words = segment.words, !words.isEmpty {
            let moved = words.map(restore)
            restored.words = moved
            restored.start = moved[0].start
            restored.end = moved[moved.count - 1].end
        } else {
            restored.start = originalTime(Self.unrounded(segment.start, seek: segment.seek))
            restored.end = originalTime(Self.unrounded(segment.end, seek: segment.seek), isEnd: true)
        }
        return restored
    }

    /// What was taken out, from the first to the last of its words in the original.
    func restore(_ removal: GuardRemoval) -> GuardAction {
        var action = removal.action
        guard !ends.isEmpty, let first = removal.words.first, let last = removal.words.last else { return action }
        (action.start, action.end) = (restore(first).start, restore(last).end)
        return action
    }

    private func restore(_ word: Word) -> Word {
        let chunk = chunkIndex(at: (word.start + word.end) / 2)
        var restored = word
        restored.start = originalTime(word.start, chunk: chunk)
        restored.end = originalTime(word.end, chunk: chunk)
        return restored
    }

    private func firstEnd(where isFound: (Int) -> Bool) -> Int {
        var low = 0, high = ends.count
        while low < high {
            let middle = (low + high) / 2
            if isFound(ends[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// The sum that faster-whisper computes for a segment's time, which can be a little off the rounded one: it decides
    /// on which side of a cut a time lies that is exactly on it.
    private static func unrounded(_ time: Double, seek: Int) -> Double {
        let frame = (time * 100).rounded()
        let sum = Double(seek) * 0.01 + (frame - Double(seek)) * 0.01
        return abs(sum - time) < 1e-6 ? sum : time
    }
}

/// Hundredths of a second.
enum Hundredths {
    /// The nearest hundredth as Python rounds: of the number as it is stored, ties to even.
    static func rounded(_ seconds: Double) -> Double {
        let scaled = seconds * 100
        // What the product lost; it decides between two hundredths when the product looks like a tie.
        let lost = (-scaled).addingProduct(seconds, 100)
        let below = scaled.rounded(.down)
        guard scaled - below == 0.5, lost != 0 else { return scaled.rounded(.toNearestOrEven) / 100 }
        return (lost > 0 ? below + 1 : below) / 100
    }
}
