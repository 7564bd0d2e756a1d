import StenoCore

/// Finds where speech is from the probabilities of the windows, while they come in.
///
/// It is faster-whisper 1.2.1's `get_speech_timestamps`: the same chunks to the sample, whatever the options. The
/// chunks of a whole recording are ``chunks`` after ``finish(sampleCount:)``; before that, ``certain`` says what cannot
/// change any more, so that a recording can be passed on while it is still coming in.
public struct SpeechTimestamps: Sendable {
    /// The chunks of speech that are final, in samples; in order, never overlapping.
    public private(set) var chunks: [Range<Int>] = []

    private var segmenter: SpeechSegmenter
    private let pad: Int
    /// The last speech found: its start is padded, its end is not yet.
    private var last: Range<Int>?
    /// The length of the audio, once it is known.
    private var sampleCount: Int?

    /// Starts a recording.
    public init(_ options: VoiceActivityOptions) {
        segmenter = SpeechSegmenter(options)
        pad = 16 * options.speechPadMilliseconds
    }

    /// The chunks of a recording of which all probabilities are known.
    ///
    /// - Parameters:
    ///   - probabilities: One for each window of ``VoiceActivity/windowLength`` samples, the last one filled up, as
    ///     ``VoiceActivityStream`` gives them.
    ///   - sampleCount: The samples of the audio.
    ///   - options: What counts as speech.
    public static func chunks(
        of probabilities: [Float], sampleCount: Int, options: VoiceActivityOptions = VoiceActivityOptions()
    ) -> [Range<Int>] {
        var timestamps = SpeechTimestamps(options)
        timestamps.append(probabilities)
        timestamps.finish(sampleCount: sampleCount)
        return timestamps.chunks
    }

    /// Takes the probabilities of the next windows.
    public mutating func append(_ probabilities: some Sequence<Float>) {
        var speech: [Range<Int>] = []
        for probability in probabilities { segmenter.append(probability, to: &speech) }
        for found in speech { add(found) }
    }

    /// Ends the audio; every chunk is final then.
    public mutating func finish(sampleCount: Int) {
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

    /// Where speech that begins at a sample begins with its padding; half a short pause goes to each side.
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
    /// What is known for certain although the audio still goes on.
    public struct Certain: Sendable, Hashable {
        /// Speech that is not in ``SpeechTimestamps/chunks`` yet, because it may still grow at its end; none to two.
        public var growing: [Range<Int>]
        /// Before this sample (which may not have come in yet), everything outside of the chunks and of ``growing`` is
        /// certain to be no speech.
        public var end: Int
    }

    /// What is known for certain so far, as long as no window has been filled up with silence.
    ///
    /// The window that ends a recording is one of those; ``finish(sampleCount:)`` comes right after it.
    public var certain: Certain {
        if let sampleCount { return Certain(growing: [], end: sampleCount) }
        let position = segmenter.windowCount * VoiceActivity.windowLength
        // Whatever follows, the padding after speech is kept: it is padding, or a short pause, or speech again.
        if let start = segmenter.openStart, let end = segmenter.certainEnd {
            let open = paddedStart(start)..<end + pad
            return Certain(growing: (last.map { [padded($0, before: start)] } ?? []) + [open], end: end + pad)
        }
        // The next speech cannot reach back further than its padding.
        let next = max(0, (segmenter.openStart ?? position) - pad)
        guard let last else { return Certain(growing: [], end: next) }
        let end = last.upperBound + pad
        return Certain(growing: [last.lowerBound..<end], end: max(end, next))
    }
}
