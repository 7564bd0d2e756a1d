import StenoCore
import StenoVoiceActivity

/// Reads a recording in windows, which end at pauses, and skips long silence.
///
/// Voice activity is detected while the audio is read, so that it works on a pipe. In memory are a window and the
/// silence that ends it; all of the audio only if clips are not in the order of their times.
final class AudioWindows {
    struct Window {
        /// Its first sample in the recording.
        var start: Int
        var samples: [Float]
        /// The samples at its start that the window before has too.
        var overlap: Int
        /// Whether no speech continues: the window or the stream is complete.
        var isLast: Bool
    }

    private let audio: SampleStore
    private let streams: Bool
    private let detector: any VoiceActivityDetector
    private var waiting: ArraySlice<Range<Int>>
    private var clip: ClipListener?

    /// - Parameters:
    ///   - clips: The only parts to decode, in seconds and in this order; empty is everything.
    ///   - streams: Whether the windows are parts of streams.
    ///   - checkCancellation: Called before every half second of audio.
    init(
        _ source: any SampleSource, clips: [Range<Double>], streams: Bool, detector: any VoiceActivityDetector,
        checkCancellation: @escaping () throws -> Void
    ) {
        let all = clips.isEmpty ? [0..<Int.max] : clips.map(Self.samples)
        let isInOrder = zip(all, all.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound }
        audio = SampleStore(source, keepsAll: !isInOrder, checkCancellation: checkCancellation)
        waiting = all[...]
        (self.streams, self.detector) = (streams, detector)
    }

    /// The length of the recording, once its end has been read.
    var sampleCount: Int? { audio.sampleCount }

    /// The next window; nil after the last one, when the recording has been read to its end.
    func next() throws -> Window? {
        while true {
            guard var clip = clip ?? beginClip() else {
                try audio.readToEnd()
                return nil
            }
            let planned = try clip.next(audio)
            self.clip = planned == nil ? nil : clip
            guard let planned else { continue }
            let samples = Array(try audio.samples(planned.samples))
            audio.forget(before: clip.firstNeeded)
            return Window(
                start: planned.samples.lowerBound, samples: samples, overlap: planned.overlap, isLast: planned.isLast)
        }
    }

    private func beginClip() -> ClipListener? {
        waiting.popFirst().map { ClipListener($0, streams: streams, detector: detector) }
    }

    private static func samples(_ clip: Range<Double>) -> Range<Int> {
        func sample(_ seconds: Double) -> Int {
            Int(min(max(0, seconds * Double(VoiceActivity.sampleRate)), 1e15).rounded())
        }
        return sample(clip.lowerBound)..<sample(clip.upperBound)
    }
}

private struct ClipListener {
    /// The samples heard at once: half a second.
    private static let step = 8192
    /// Quiet audio is amplified to this peak for the detector, which hears nothing below about −40 dB.
    private static let peak: Float = 0.1
    private static let maximumGain: Float = 1000

    /// Short pauses are found, and quiet speech is kept: losing text is worse than decoding silence.
    private static let options = VoiceActivityOptions().with {
        ($0.threshold, $0.minSilenceSeconds, $0.speechPadSeconds) = (0.3, 0.16, 0)
    }

    private let range: Range<Int>
    private var planner: WindowPlanner
    private var stream: VoiceActivityStream
    private var timestamps = SpeechTimestamps(Self.options)
    /// The next sample to hear.
    private var position: Int
    private var loudest: Float = 0
    private var isComplete = false
    /// The number of chunks of speech that have been decoded.
    private var passed = 0

    init(_ range: Range<Int>, streams: Bool, detector: any VoiceActivityDetector) {
        self.range = range
        planner = WindowPlanner(streams: streams, start: range.lowerBound)
        stream = VoiceActivityStream(detector)
        position = range.lowerBound
    }

    /// No later window needs samples before this one.
    var firstNeeded: Int { planner.firstNeeded(speech) }

    mutating func next(_ audio: SampleStore) throws -> WindowPlanner.Window? {
        while true {
            let window = planner.next(speech)
            let chunks = timestamps.chunks
            while passed < chunks.count, range.lowerBound + chunks[passed].upperBound <= planner.done { passed += 1 }
            if let window { return window }
            guard !isComplete else { return nil }
            audio.forget(before: min(position, firstNeeded))
            try listen(audio)
        }
    }

    private mutating func listen(_ audio: SampleStore) throws {
        let end = position + min(Self.step, range.upperBound - position)
        let samples = try audio.samples(position..<end)
        position += samples.count
        if !samples.isEmpty { timestamps.append(stream.push(amplified(samples))) }
        guard samples.count < Self.step else { return }
        isComplete = true
        timestamps.append(stream.finish())
        timestamps.finish(sampleCount: stream.sampleCount)
    }

    /// The samples as loud as the detector needs them, by the loudest sample so far.
    private mutating func amplified(_ samples: ArraySlice<Float>) -> [Float] {
        var amplified = Array(samples)
        amplified.withUnsafeMutableBufferPointer { amplified in
            for index in amplified.indices { loudest = max(loudest, abs(amplified[index])) }
            let gain = loudest > 0 ? min(Self.maximumGain, max(1, Self.peak / loudest)) : 1
            guard gain > 1 else { return }
            for index in amplified.indices { amplified[index] *= gain }
        }
        return amplified
    }

    private var speech: WindowPlanner.Speech {
        let certain = timestamps.certain
        let ranges = (timestamps.chunks[passed...] + certain.growing).map {
            range.lowerBound + $0.lowerBound..<range.lowerBound + $0.upperBound
        }
        return WindowPlanner.Speech(
            ranges: ranges, end: isComplete ? position : range.lowerBound + certain.end, isComplete: isComplete)
    }
}
