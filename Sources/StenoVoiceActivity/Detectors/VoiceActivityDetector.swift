import StenoCore

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
