import StenoCore
import StenoVoice

/// Passes audio through unchanged while computing its speech probabilities.
///
/// Each window is processed once, in whichever pass reads it first. One number is kept per 32 ms: half a megabyte per
/// hour.
final class SpeechMonitor: SampleSource {
    /// The speech probability of each window read so far.
    private(set) var probabilities: [Float] = []

    private let source: any SampleSource
    private var stream: VoiceActivityStream
    private var position = 0
    private var hasEnded = false

    init(_ source: any SampleSource, detector: any VoiceActivityDetector) {
        self.source = source
        stream = VoiceActivityStream(detector)
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

    func read(into buffer: UnsafeMutableBufferPointer<Float>) throws -> Int {
        let count = try source.read(into: buffer)
        guard !hasEnded, !buffer.isEmpty else { return count }
        guard count > 0 else {
            hasEnded = true
            probabilities += stream.finish()
            return count
        }
        let known = min(count, stream.sampleCount - position)
        position += count
        probabilities += stream.push(UnsafeBufferPointer(rebasing: buffer[max(0, known)..<count]))
        return count
    }

    func rewind() throws -> Bool {
        guard try source.rewind() else { return false }
        position = 0
        return true
    }
}
