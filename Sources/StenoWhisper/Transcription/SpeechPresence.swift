import StenoCore
import StenoVoice

/// Passes audio through unchanged while it looks for speech anywhere in it.
///
/// The network runs only until it has found speech, in most recordings within the first seconds. Quiet audio is
/// amplified for it, since it finds no speech below about −40 dB, where the model still understands every word.
final class SpeechPresence: SampleSource {
    /// A window of 32 ms with at least this probability counts as speech: less than the 0.5 of voice activity
    /// detection, since losing text is worse than keeping too much.
    static let threshold: Float = 0.3

    /// Quieter audio is amplified to this peak for the network, at most by `maximumGain`.
    private static let peak: Float = 0.1
    private static let maximumGain: Float = 3000

    /// Whether the audio has been read to its end, and no speech was found.
    var isWithoutSpeech: Bool { hasEnded && !hasSpeech }

    private let source: any SampleSource
    private var hasSpeech = false
    private var hasEnded = false
    /// Looks for speech; nil once the answer is known.
    private var stream: VoiceActivityStream?
    private var position = 0

    init(_ source: any SampleSource, detector: any VoiceActivityDetector) {
        self.source = source
        stream = VoiceActivityStream(detector)
    }

    func read(into buffer: UnsafeMutableBufferPointer<Float>) throws -> Int {
        let count = try source.read(into: buffer)
        guard stream != nil, !buffer.isEmpty else { return count }
        guard count > 0 else {
            hasEnded = true
            add(stream?.finish())
            stream = nil
            return count
        }
        // Audio read before rewinding the source is already known.
        let known = min(count, max(0, (stream?.sampleCount ?? 0) - position))
        position += count
        let fresh = buffer[known..<count]
        let gain = Self.gain(fresh)
        add(gain > 1 ? stream?.push(fresh.map { $0 * gain }) : stream?.push(UnsafeBufferPointer(rebasing: fresh)))
        return count
    }

    private static func gain(_ samples: Slice<UnsafeMutableBufferPointer<Float>>) -> Float {
        let loudest = samples.reduce(0) { max($0, abs($1)) }
        return loudest > 0 ? min(maximumGain, max(1, peak / loudest)) : 1
    }

    func rewind() throws -> Bool {
        guard try source.rewind() else { return false }
        position = 0
        return true
    }

    private func add(_ probabilities: [Float]?) {
        guard probabilities?.contains(where: { $0 >= Self.threshold }) == true else { return }
        hasSpeech = true
        stream = nil
    }
}
