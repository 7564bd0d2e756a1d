import StenoCore

/// Converts speech probabilities to segments of speech, before padding, one window at a time: the rules of Silero's
/// `get_speech_timestamps` as implemented in faster-whisper 1.2.1.
struct SpeechSegmenter: Sendable {
    /// The silence, in samples, at which overlong speech may be split: more than 98 ms.
    private static let cuttableSilence = 1568

    private(set) var windowCount = 0
    /// The start of the current speech, if any.
    private(set) var openStart: Int?

    // Probabilities are compared in their own precision, as numpy does.
    private let threshold: Float
    private let negativeThreshold: Float
    private let minSpeech: Double
    private let maxSpeech: Double
    private let minSilence: Double

    /// The start of the silence that may end the current speech.
    private var silenceStart: Int?
    /// The last silence at which the current speech can be split, and where speech resumed after it.
    private var cut: Int?
    private var afterCut: Int?

    init(_ options: VoiceActivityOptions) {
        threshold = Float(options.threshold)
        negativeThreshold = Float(options.resolvedNegativeThreshold)
        minSpeech = Double(VoiceActivityOptions.samples(options.minSpeechSeconds))
        minSilence = Double(VoiceActivityOptions.samples(options.minSilenceSeconds))
        // In this order of operations, so that a length that is not a whole number of samples is rounded as in the
        // original.
        let longest = Double(VoiceActivity.sampleRate) * options.maxSpeechSeconds
        let padding = 2 * VoiceActivityOptions.samples(options.speechPadSeconds)
        maxSpeech = longest - Double(VoiceActivity.windowLength) - Double(padding)
    }

    /// Processes the next window and appends speech that has ended, in samples: none, one, or two segments at once.
    mutating func append(_ probability: Float, to speech: inout [Range<Int>]) {
        let now = windowCount * VoiceActivity.windowLength
        windowCount += 1
        let isSpeech = probability >= threshold
        if isSpeech, silenceStart != nil {
            silenceStart = nil
            // Only the first resumption of speech after such a silence marks where the next part would begin.
            if let cut, afterCut ?? 0 < cut { afterCut = now }
        }
        guard var start = openStart else {
            if isSpeech { openStart = now }
            return
        }
        if Double(now - start) > maxSpeech {
            speech.append(start..<(cut ?? now))
            let next = cut.flatMap { cut in afterCut.flatMap { $0 < cut ? nil : $0 } }
            close()
            guard let next else { return }
            openStart = next
            start = next
        }
        guard probability < negativeThreshold else { return }
        let end = silenceStart ?? now
        silenceStart = end
        if now - end > Self.cuttableSilence { cut = end }
        guard Double(now - end) >= minSilence else { return }
        if Double(end - start) > minSpeech { speech.append(start..<end) }
        close()
    }

    /// Ends the audio and appends speech that reaches its end.
    mutating func finish(sampleCount: Int, to speech: inout [Range<Int>]) {
        if let start = openStart, Double(sampleCount - start) > minSpeech { speech.append(start..<sampleCount) }
        close()
    }

    /// The sample up to which the current speech is certain to be kept; nil while it may still turn out too short.
    var certainEnd: Int? {
        guard let start = openStart else { return nil }
        let end = maxSpeech.isFinite ? cut ?? silenceStart : silenceStart
        let certain = end ?? windowCount * VoiceActivity.windowLength
        return Double(certain - start) > minSpeech ? certain : nil
    }

    private mutating func close() { (openStart, silenceStart, cut, afterCut) = (nil, nil, nil, nil) }
}

/// Chunks of speech that are decoded together.
package struct SpeechGroup: Sendable, Hashable {
    /// The chunks, in samples of the original audio.
    package var chunks: [Range<Int>]
    /// The start of the group in the joined speech, in samples.
    package var offset: Int

    package var sampleCount: Int { chunks.reduce(0) { $0 + $1.count } }

    /// Groups neighbouring chunks up to a total of `maxSeconds`.
    ///
    /// Like faster-whisper's `collect_chunks`, except that a group lists all its chunks (the original omits the first
    /// chunk of every group after the first from the list, though not from the audio) and no group is empty. A chunk
    /// longer than the limit is its own group.
    package static func collect(_ chunks: [Range<Int>], maxSeconds: Double = .infinity) -> [SpeechGroup] {
        let limit = maxSeconds * Double(VoiceActivity.sampleRate)
        var groups: [SpeechGroup] = []
        var length = 0
        for chunk in chunks {
            if let last = groups.indices.last, Double(length + chunk.count) <= limit {
                groups[last].chunks.append(chunk)
                length += chunk.count
            } else {
                let offset = groups.last.map { $0.offset + length } ?? 0
                groups.append(SpeechGroup(chunks: [chunk], offset: offset))
                length = chunk.count
            }
        }
        return groups
    }
}
