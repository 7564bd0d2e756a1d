import StenoCore
import StenoVoiceActivity

extension MoonshineSpeechModel {
    /// The length of the measured utterances, in seconds.
    private static let utteranceSeconds = 10.0
    /// The tokens of a second of speech at a usual pace.
    private static let usualTokensPerSecond = 3.5

    /// Measures the decoding time per second of speech: voice activity detection, and utterances with texts of typical
    /// length.
    ///
    /// The measured audio is noise, in which the detection finds no speech and the model no text. So the utterances are
    /// decoded directly, and one token of each is written again and again, which takes as long as writing a text.
    package func measureRealTimeFactor(isCancelled: @escaping () -> Bool) throws -> Double {
        let samples = MeasuredAudio.samples
        let length = min(Int(Self.utteranceSeconds * 16_000), network.mostSamples)
        let tokens = Int(Double(length) / 16_000 * Self.usualTokensPerSecond)
        let detector = try SileroDetector(BundledSilero.model()), state = try network.makeEncoder()
        state.isCancelled = isCancelled
        let elapsed = try ContinuousClock().measure {
            var stream = VoiceActivityStream(detector)
            _ = stream.push(samples)
            for start in stride(from: 0, to: samples.count, by: length) {
                try state.encode(utterance: Array(samples[start..<min(start + length, samples.count)]))
                for _ in 0..<tokens { _ = try state.decode(prefix: [], draft: [], limit: 1, recordsAttention: true) }
            }
        }
        return elapsed / .seconds(1) / MeasuredAudio.seconds
    }
}
