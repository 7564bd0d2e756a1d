import StenoCore
import StenoVoiceActivity

/// Looks for speech anywhere in audio while it is read.
///
/// The network runs only until it has found speech, in most recordings within the first seconds. Quiet audio is
/// amplified for it, since it finds no speech below about −40 dB, where the model still understands every word.
final class SpeechPresence {
    /// A window of 32 ms with at least this probability counts as speech: less than the 0.5 of voice activity
    /// detection, since losing text is worse than keeping too much.
    static let threshold: Float = 0.3

    /// Quieter audio is amplified to this peak for the network, at most by `maximumGain`.
    private static let peak: Float = 0.1
    private static let maximumGain: Float = 3000

    /// Whether the audio has been read to its end, and no speech was found.
    private(set) var isWithoutSpeech = false

    /// Looks for speech; nil once the answer is known.
    private var stream: VoiceActivityStream?

    init(detector: any VoiceActivityDetector) { stream = VoiceActivityStream(detector) }

    /// The audio of a source, in which speech is looked for as it is read; for one source.
    func tap(_ source: any SampleSource) -> any SampleSource { SampleTap(source, onSamples: hear, onEnd: end) }

    private func hear(_ samples: UnsafeBufferPointer<Float>) {
        guard stream != nil else { return }
        let gain = Self.gain(samples)
        check(gain > 1 ? stream?.push(samples.map { $0 * gain }) : stream?.push(samples))
    }

    private func end() {
        check(stream?.finish())
        isWithoutSpeech = stream != nil
        stream = nil
    }

    private static func gain(_ samples: UnsafeBufferPointer<Float>) -> Float {
        let loudest = samples.reduce(0) { max($0, abs($1)) }
        return loudest > 0 ? min(maximumGain, max(1, peak / loudest)) : 1
    }

    /// Stops listening once there was speech.
    private func check(_ probabilities: [Float]?) {
        if probabilities?.contains(where: { $0 >= Self.threshold }) == true { stream = nil }
    }
}
