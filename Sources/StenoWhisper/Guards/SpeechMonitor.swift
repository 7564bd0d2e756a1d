import StenoCore
import StenoVoiceActivity

/// The speech probabilities of audio, computed while it is read.
///
/// One number is kept per 32 ms: half a megabyte per hour.
final class SpeechMonitor {
    /// The speech probability of each window read so far.
    private(set) var probabilities: [Float] = []

    private var stream: VoiceActivityStream

    init(detector: any VoiceActivityDetector) { stream = VoiceActivityStream(detector) }

    /// The audio of a source, which is monitored as it is read; for one source.
    func tap(_ source: any SampleSource) -> any SampleSource {
        SampleTap(source) {
            self.probabilities += self.stream.push($0)
        } onEnd: {
            self.probabilities += self.stream.finish()
        }
    }

    /// The speech probabilities of a range of samples, in whole windows.
    ///
    /// Once the range has been read, the result does not depend on how much further the source has been read.
    func profile(of samples: Range<Int>) -> SpeechProfile {
        let first = max(0, samples.lowerBound) / VoiceActivity.windowLength
        let end = min(samples.upperBound / VoiceActivity.windowLength, probabilities.count)
        return SpeechProfile(
            start: Double(first) * VoiceActivity.windowSeconds, step: VoiceActivity.windowSeconds,
            probabilities: Array(probabilities[min(first, end)..<end]))
    }
}
