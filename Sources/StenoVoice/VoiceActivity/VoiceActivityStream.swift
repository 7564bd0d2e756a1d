import StenoCore

/// Feeds chunks of any size to a ``VoiceActivityDetector`` and knows, to the sample, how far it has heard.
///
/// The probabilities do not depend on how the audio was cut into chunks: number `i` is always that of the samples from
/// `512 i` on.
public struct VoiceActivityStream {
    /// What listens; it belongs to this stream.
    public let detector: any VoiceActivityDetector
    /// How many samples have been pushed.
    public private(set) var sampleCount = 0
    /// The samples of a window that is not full yet.
    private var pending: [Float] = []

    /// Starts a stream with a detector, which forgets what it heard before.
    public init(_ detector: any VoiceActivityDetector) {
        self.detector = detector
        detector.reset()
    }

    /// The first sample whose window has not been judged yet.
    public var position: Int { sampleCount - pending.count }

    /// Takes the next samples and returns the probabilities of the windows they complete, none or many.
    public mutating func push(_ samples: [Float]) -> [Float] {
        samples.withUnsafeBufferPointer { push($0) }
    }

    /// Takes the next samples and returns the probabilities of the windows they complete, none or many.
    public mutating func push(_ samples: UnsafeBufferPointer<Float>) -> [Float] {
        sampleCount += samples.count
        var probabilities: [Float] = []
        var rest = samples[...]
        if !pending.isEmpty {
            let missing = rest.prefix(VoiceActivity.windowLength - pending.count)
            pending += missing
            rest = rest.dropFirst(missing.count)
            guard pending.count == VoiceActivity.windowLength else { return [] }
            pending.withUnsafeBufferPointer { detector.append(probabilitiesOf: $0, to: &probabilities) }
            pending.removeAll(keepingCapacity: true)
        }
        let whole = rest.count / VoiceActivity.windowLength * VoiceActivity.windowLength
        if whole > 0 {
            detector.append(probabilitiesOf: UnsafeBufferPointer(rebasing: rest.prefix(whole)), to: &probabilities)
        }
        pending += rest.dropFirst(whole)
        return probabilities
    }

    /// Ends the audio: returns the probability of its last window, filled up with silence.
    ///
    /// As in faster-whisper there always is such a window, even when no samples are left for it, and its last 64
    /// samples are silent even when there are. After this the stream must not be pushed to.
    public mutating func finish() -> [Float] {
        var window = [Float](repeating: 0, count: VoiceActivity.windowLength)
        let heard = pending.prefix(VoiceActivity.windowLength - SileroModel.contextLength)
        window.replaceSubrange(0..<heard.count, with: heard)
        pending.removeAll()
        var probabilities: [Float] = []
        window.withUnsafeBufferPointer { detector.append(probabilitiesOf: $0, to: &probabilities) }
        return probabilities
    }
}
