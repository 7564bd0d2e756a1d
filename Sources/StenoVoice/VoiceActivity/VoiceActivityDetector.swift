import StenoCore

/// Says how probable speech is, window by window, while a recording comes in.
///
/// A detector remembers what it has heard, so one detector follows one recording, from its first sample on. It is used by
/// one thread at a time. ``VoiceActivityStream`` cuts chunks of any size into the windows it wants.
public protocol VoiceActivityDetector: AnyObject {
    /// Takes the next windows of the audio and appends the probability of speech in each, from 0 to 1.
    ///
    /// - Parameters:
    ///   - windows: Whole windows of ``VoiceActivity/windowLength`` samples, 16 kHz, mono, from −1 to 1.
    ///   - probabilities: Gets one number for each window.
    func append(probabilitiesOf windows: UnsafeBufferPointer<Float>, to probabilities: inout [Float])

    /// Forgets the audio; the next window is the first of another one.
    func reset()
}

/// The grid on which voice activity is measured.
public enum VoiceActivity {
    /// Samples in a window: 32 ms.
    public static let windowLength = 512
    /// Samples per second.
    public static let sampleRate = 16_000

    package static func seconds(_ samples: Int) -> Double { Double(samples) / Double(sampleRate) }
}
