import StenoCore

/// Turns probabilities into stretches of speech, before padding: the rules of Silero's `get_speech_timestamps` as
/// faster-whisper 1.2.1 has them, one window at a time.
struct SpeechSegmenter: Sendable {
    /// Silence of more than 98 ms is where speech that is too long may be cut.
    private static let cuttableSilence = 1568

    /// How many windows have been judged.
    private(set) var windowCount = 0
    /// Where the speech that has not ended begins.
    private(set) var openStart: Int?

    // Probabilities are compared in the precision they are computed in, as numpy does it.
    private let threshold: Float
    private let negativeThreshold: Float
    private let minSpeech: Double
    private let maxSpeech: Double
    private let minSilence: Double

    /// Where the silence began that the open speech may end with.
    private var silenceStart: Int?
    /// The last silence at which the open speech can be cut, and where speech went on after it.
    private var cut: Int?
    private var afterCut: Int?

    init(_ options: VoiceActivityOptions) {
        threshold = Float(options.threshold)
        negativeThreshold = Float(options.resolvedNegativeThreshold)
        minSpeech = Double(16 * options.minSpeechMilliseconds)
        minSilence = Double(16 * options.minSilenceMilliseconds)
        // In this order, so that a length that is no whole number of samples rounds as it does there.
        let longest = Double(VoiceActivity.sampleRate) * options.maxSpeechSeconds
        maxSpeech = longest - Double(VoiceActivity.windowLength) - Double(2 * 16 * options.speechPadMilliseconds)
    }

    /// Judges the next window and appends the speech that has ended, in samples: none, one, or two at once.
    mutating func append(_ probability: Float, to speech: inout [Range<Int>]) {
        let now = windowCount * VoiceActivity.windowLength
        windowCount += 1
        let isSpeech = probability >= threshold
        if isSpeech, silenceStart != nil {
            silenceStart = nil
            // Only the first speech after a silence that can be cut says where the next part would begin.
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

    /// Ends the audio: appends the speech that reaches its end.
    mutating func finish(sampleCount: Int, to speech: inout [Range<Int>]) {
        if let start = openStart, Double(sampleCount - start) > minSpeech { speech.append(start..<sampleCount) }
        close()
    }

    /// Up to which sample the open speech is certain to be kept as it is; nil when it may still turn out too short.
    var certainEnd: Int? {
        guard let start = openStart else { return nil }
        let end = maxSpeech.isFinite ? cut ?? silenceStart : silenceStart
        let certain = end ?? windowCount * VoiceActivity.windowLength
        return Double(certain - start) > minSpeech ? certain : nil
    }

    private mutating func close() {
        openStart = nil
        silenceStart = nil
        cut = nil
        afterCut = nil
    }
}
