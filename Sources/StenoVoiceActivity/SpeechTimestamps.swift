import StenoCore

/// Finds speech from the probabilities of windows as they arrive.
///
/// This is faster-whisper 1.2.1's `get_speech_timestamps`, with identical chunks for any options. The chunks of a whole
/// recording are in ``chunks`` after ``finish(sampleCount:)``; before that, ``certain`` says what can no longer change,
/// so that audio can be passed on while it is still arriving.
package struct SpeechTimestamps: Sendable {
    /// The final chunks of speech, in samples; in order and not overlapping.
    package private(set) var chunks: [Range<Int>] = []

    private var segmenter: SpeechSegmenter
    private let pad: Int
    /// The last speech found: its start is padded, its end not yet.
    private var last: Range<Int>?
    private var sampleCount: Int?

    package init(_ options: VoiceActivityOptions) {
        segmenter = SpeechSegmenter(options)
        pad = VoiceActivityOptions.samples(options.speechPadSeconds)
    }

    /// The chunks of a recording whose probabilities are all known.
    ///
    /// - Parameters:
    ///   - probabilities: One for each window of ``VoiceActivity/windowLength`` samples, the last one padded, as from
    ///     ``VoiceActivityStream``.
    package static func chunks(
        of probabilities: [Float], sampleCount: Int, options: VoiceActivityOptions = VoiceActivityOptions()
    ) -> [Range<Int>] {
        var timestamps = SpeechTimestamps(options)
        timestamps.append(probabilities)
        timestamps.finish(sampleCount: sampleCount)
        return timestamps.chunks
    }

    package mutating func append(_ probabilities: some Sequence<Float>) {
        var speech: [Range<Int>] = []
        for probability in probabilities { segmenter.append(probability, to: &speech) }
        for found in speech { add(found) }
    }

    /// Ends the audio, which makes every chunk final.
    package mutating func finish(sampleCount: Int) {
        var speech: [Range<Int>] = []
        segmenter.finish(sampleCount: sampleCount, to: &speech)
        for found in speech { add(found) }
        if let last { chunks.append(last.lowerBound..<min(sampleCount, last.upperBound + pad)) }
        last = nil
        self.sampleCount = sampleCount
    }

    private mutating func add(_ found: Range<Int>) {
        let start = paddedStart(found.lowerBound)
        if let last { chunks.append(padded(last, before: found.lowerBound)) }
        last = start..<found.upperBound
    }

    /// The padded start of speech that begins at a sample; a short pause is split evenly between its two sides.
    private func paddedStart(_ start: Int) -> Int {
        guard let last else { return max(0, start - pad) }
        let silence = start - last.upperBound
        return max(0, start - (silence < 2 * pad ? silence / 2 : pad))
    }

    private func padded(_ speech: Range<Int>, before next: Int) -> Range<Int> {
        let silence = next - speech.upperBound
        return speech.lowerBound..<speech.upperBound + (silence < 2 * pad ? silence / 2 : pad)
    }
}

extension SpeechTimestamps {
    /// The spans that are certain while the audio continues.
    package struct Certain: Sendable, Hashable {
        /// Speech not yet in ``SpeechTimestamps/chunks`` because it may still grow at its end; at most two chunks.
        package var growing: [Range<Int>]
        /// Before this sample, which may not have arrived yet, everything outside the chunks and ``growing`` is certain
        /// not to be speech.
        package var end: Int
    }

    /// The spans that are certain so far, provided that no window has been padded with silence.
    ///
    /// Only the last window of a recording is padded, and ``finish(sampleCount:)`` directly follows it.
    package var certain: Certain {
        if let sampleCount { return Certain(growing: [], end: sampleCount) }
        let position = segmenter.windowCount * VoiceActivity.windowLength
        // The padding after speech is kept whatever follows: it is padding, a short pause, or speech again.
        if let start = segmenter.openStart, let end = segmenter.certainEnd {
            let open = paddedStart(start)..<end + pad
            return Certain(growing: (last.map { [padded($0, before: start)] } ?? []) + [open], end: end + pad)
        }
        // The next speech cannot begin earlier than its padding.
        let next = max(0, (segmenter.openStart ?? position) - pad)
        guard let last else { return Certain(growing: [], end: next) }
        let end = last.upperBound + pad
        return Certain(growing: [last.lowerBound..<end], end: max(end, next))
    }
}

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
        (self.ends, self.silences) = (ends, silences)
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
