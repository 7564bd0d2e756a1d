import StenoCore

/// Converts times in the joined speech to times in the original audio: faster-whisper's `SpeechTimestampsMap`.
package struct SpeechTimestampsMap: Sendable {
    /// The end of each chunk in the joined speech, in samples.
    private let ends: [Int]
    /// The total silence before each chunk, in seconds.
    private let silences: [Double]

    /// Creates a map for chunks of speech in samples, in order.
    package init(_ chunks: [Range<Int>]) {
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

    /// The index of the chunk that contains a time; a time after the last chunk belongs to the last chunk.
    ///
    /// - Parameters:
    ///   - time: Seconds in the joined speech.
    ///   - isEnd: Whether it is an end time: exactly between two chunks, it then belongs to the earlier one.
    package func chunkIndex(at time: Double, isEnd: Bool = false) -> Int {
        // A time that is NaN, or beyond any audio, maps to an end of the list.
        let position = time.isNaN ? 0 : time * Double(VoiceActivity.sampleRate)
        let sample = Int(min(max(position, 0), 1e15))
        let after = firstEnd { $0 > sample }
        if isEnd {
            let reached = firstEnd { $0 >= sample }
            if reached < after { return reached }
        }
        return max(0, min(after, ends.count - 1))
    }

    /// Whether there are no chunks, in which case times stay unchanged.
    package var isEmpty: Bool { ends.isEmpty }

    /// The time in the original audio, rounded to hundredths of a second.
    ///
    /// - Parameters:
    ///   - time: Seconds in the joined speech.
    ///   - chunk: The index of its chunk; nil finds the chunk that contains it.
    ///   - isEnd: As in ``chunkIndex(at:isEnd:)``.
    package func originalTime(_ time: Double, chunk: Int? = nil, isEnd: Bool = false) -> Double {
        guard !ends.isEmpty else { return time }
        return Hundredths.rounded(silences[chunk ?? chunkIndex(at: time, isEnd: isEnd)] + time)
    }

    private func firstEnd(where isFound: (Int) -> Bool) -> Int {
        var low = 0, high = ends.count
        while low < high {
            let middle = (low + high) / 2
            if isFound(ends[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
