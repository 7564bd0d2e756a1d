package import StenoCore

/// Computes the probability of speech, window by window, while audio arrives.
///
/// A detector is stateful: it processes one recording from the first sample on, on one thread at a time.
/// ``VoiceActivityStream`` splits chunks of any size into windows.
package protocol VoiceActivityDetector: AnyObject {
    /// Processes the next windows of audio and appends the probability of speech in each, from 0 to 1.
    ///
    /// - Parameters:
    ///   - windows: Whole windows of ``VoiceActivity/windowLength`` samples, 16 kHz, mono, from −1 to 1.
    ///   - probabilities: Receives one number per window.
    func append(probabilitiesOf windows: UnsafeBufferPointer<Float>, to probabilities: inout [Float])

    /// Resets the state; the next window is the first of another recording.
    func reset()
}

/// The units of voice activity detection.
package enum VoiceActivity {
    /// Samples in a window: 32 ms.
    package static let windowLength = 512
    /// Samples per second.
    package static let sampleRate = 16_000
    package static let windowSeconds = seconds(windowLength)

    package static func seconds(_ samples: Int) -> Double { Double(samples) / Double(sampleRate) }
}

extension DetectorKind {
    /// Makes a detector of this kind for live audio, and to find where to cut utterances.
    ///
    /// - Throws: `StenoError`: `resourceMissing`, `modelDamaged` if the bundled network cannot be loaded.
    package func make() throws -> any VoiceActivityDetector {
        switch self {
        case .silero: try SileroDetector(BundledSilero.model())
        case .energy: EnergyDetector()
        }
    }

    /// Makes a detector of this kind for ``VoiceActivityOptions``, with which the spans are faster-whisper's.
    ///
    /// - Throws: As ``make()``.
    package func makeFilter() throws -> any VoiceActivityDetector {
        switch self {
        case .silero: try SileroDetector(BundledSilero.fasterWhisper())
        case .energy: EnergyDetector()
        }
    }
}

/// Splits audio of any chunk size into windows for a ``VoiceActivityDetector``.
///
/// The probabilities do not depend on the chunk sizes: number `i` always belongs to the samples from `512 i` on.
package struct VoiceActivityStream {
    /// The detector, used by this stream only.
    package let detector: any VoiceActivityDetector
    package private(set) var sampleCount = 0
    /// The samples of an incomplete window.
    private var pending: [Float] = []

    /// Starts a stream with a detector, which is reset.
    package init(_ detector: any VoiceActivityDetector) {
        self.detector = detector
        detector.reset()
    }

    /// The first sample whose window has not been processed yet.
    package var position: Int { sampleCount - pending.count }

    /// Adds samples and returns the probabilities of the windows they complete, if any.
    package mutating func push(_ samples: [Float]) -> [Float] { samples.withUnsafeBufferPointer { push($0) } }

    package mutating func push(_ samples: UnsafeBufferPointer<Float>) -> [Float] {
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

    /// Ends the audio and returns the probability of its last window, padded with silence.
    ///
    /// As in faster-whisper there is always such a window, even without samples left for it, and its last 64 samples
    /// are silent even if there are samples for them. Nothing may be pushed afterwards.
    package mutating func finish() -> [Float] {
        var window = [Float](repeating: 0, count: VoiceActivity.windowLength)
        let heard = pending.prefix(VoiceActivity.windowLength - SileroModel.contextLength)
        window.replaceSubrange(0..<heard.count, with: heard)
        pending.removeAll()
        var probabilities: [Float] = []
        window.withUnsafeBufferPointer { detector.append(probabilitiesOf: $0, to: &probabilities) }
        return probabilities
    }
}
