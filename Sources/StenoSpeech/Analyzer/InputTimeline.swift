import Foundation
import Steno

#if canImport(CoreMedia)
    import CoreMedia
#endif

/// Places inputs of any format and start time on the session's timeline, in the engine's samples.
///
/// Sample 0 is the first frame received; its time is ``origin``. Inputs of one sequence have one format, whose resampler
/// continues from buffer to buffer; a new sequence begins after the end of the one before it.
struct InputTimeline {
    /// The time of sample 0; nil before the first input.
    private(set) var origin: AudioTime?
    /// The sample after the last one.
    private(set) var end = 0
    /// Audio at or after this time is not wanted.
    var limit: AudioTime?
    /// Audio before this time is not wanted.
    var firstWanted: AudioTime?

    /// The converter of the sequence that is being read, and the sample its positions count from.
    private var run: (converter: AudioStreamConverter, start: Int, format: InputFormat)?

    /// The time of ``end``; nil before the first input.
    var endTime: AudioTime? { origin.map { $0 + AudioTime(value: Int64(end), timescale: Self.rate) } }

    /// Whether all audio before the limit was taken.
    var isComplete: Bool { limit.map { limit in endTime.map { $0 >= limit } ?? false } ?? false }

    private static let rate = Int32(AudioFile.sampleRate)

    /// The sample at a time; nil before the first input.
    func sample(at time: AudioTime) -> Int? { origin.map { (time - $0).seconds.samples } }

    /// The seconds from sample 0 to a time, at least 0; nil before the first input.
    func seconds(to time: AudioTime) -> Double? { origin.map { max(0, (time - $0).seconds) } }

    // MARK: Audio

    /// - Throws: ``SFSpeechError``: `unexpectedAudioFormat`, `audioDisordered`.
    mutating func take(_ input: AnalyzerInput) throws -> [AudioChunk] {
        let given = try input.audio.get()
        if let format = run?.format, format != input.format {
            throw SFSpeechError(
                .unexpectedAudioFormat,
                "The audio format changed mid-stream, from \(format) to \(input.format). End this input sequence and "
                    + "analyse a new one, or convert the buffers to one format.")
        }
        guard given.frameCount > 0 else { return [] }
        let time = given.startTime ?? (run == nil ? endTime ?? .zero : nil)
        let buffer = try PCMBuffer(
            given.samples, sampleRate: given.sampleRate, channels: given.channels, startTime: time)
        if run == nil { run = (AudioStreamConverter(), try begin(at: time ?? .zero), input.format) }
        guard let run else { return [] }
        return accepted(try checked(try run.converter.push(buffer), of: buffer), from: run.start)
    }

    /// Takes a chunk of a file that began at sample `start`.
    mutating func take(_ chunk: AudioChunk, from start: Int) -> [AudioChunk] {
        if origin == nil { origin = .zero }
        return accepted([chunk], from: start)
    }

    /// Ends the sequence that is being read; another one, of any format, may follow.
    mutating func endSequence() -> [AudioChunk] {
        guard let run else { return [] }
        self.run = nil
        return accepted(run.converter.finish(), from: run.start)
    }

    /// The sample at which a sequence begins.
    private mutating func begin(at time: AudioTime) throws -> Int {
        guard let origin, let start = sample(at: time) else {
            origin = time
            return 0
        }
        guard start >= end, (time - origin).seconds < .longestAudio else {
            throw Self.disordered(time, after: endTime ?? .zero)
        }
        return start
    }

    /// Rejects audio that is out of order; jitter of start times is accepted.
    private func checked(_ chunks: [AudioChunk], of buffer: PCMBuffer) throws -> [AudioChunk] {
        let isDisordered = chunks.contains { chunk in
            chunk.discontinuities.contains {
                $0.kind == .clockReset || ($0.kind == .overlapped && chunk.samples.isEmpty)
            }
        }
        guard !isDisordered else { throw Self.disordered(buffer.startTime ?? .zero, after: endTime ?? .zero) }
        return chunks
    }

    private static func disordered(_ time: AudioTime, after end: AudioTime) -> SFSpeechError {
        SFSpeechError(
            .audioDisordered,
            "An input begins at \(time.milliseconds) s, but the audio before it ends at \(end.milliseconds) s. "
                + "Give the inputs in the order of their start times, which are less than thirty years apart.")
    }

    /// The wanted parts of chunks, on the timeline.
    private mutating func accepted(_ chunks: [AudioChunk], from start: Int) -> [AudioChunk] {
        var wanted: [AudioChunk] = []
        for chunk in chunks {
            var (position, samples) = (chunk.position + start, chunk.samples[...])
            if let last = limit.flatMap(sample), position + samples.count > last {
                samples = samples.prefix(max(0, last - position))
            }
            if !samples.isEmpty { end = max(end, position + samples.count) }
            if let first = firstWanted.flatMap(sample), position < first {
                samples = samples.dropFirst(first - position)
                position = first
            }
            guard !samples.isEmpty || !chunk.discontinuities.isEmpty else { continue }
            wanted.append(
                AudioChunk(position: position, samples: Array(samples), discontinuities: chunk.discontinuities))
        }
        return wanted
    }
}

extension AudioTime {
    /// The seconds, rounded to the millisecond.
    fileprivate var milliseconds: Double { (seconds * 1000).rounded() / 1000 }
}

/// The range of the audio whose results can still change, and the handler for its changes.
///
/// It extends from the first audio that is not final in all modules to the end of the audio taken.
final class VolatileRange: @unchecked Sendable {
    // Sendable: all state is accessed, and the handler is called, under the lock, so one thread at a time calls it.
    typealias Handler = (_ range: CMTimeRange, _ changedStart: Bool, _ changedEnd: Bool) -> Void

    private let lock = NSLock()
    private var handler: Handler?
    private var origin: AudioTime?
    /// The sample after the last one that was taken.
    private var end = 0
    /// The end of each module's final results, in samples.
    private var finals: [ObjectIdentifier: Int] = [:]
    private var last: Range<Int>?

    /// The range on the session's timeline; nil before the first audio.
    var range: CMTimeRange? { lock.withLock { last.flatMap(timeRange) } }

    func setHandler(_ handler: sending Handler?) { lock.withLock { self.handler = handler } }

    /// Notes that audio up to a sample was taken.
    func take(to sample: Int, origin: AudioTime) {
        update {
            $0.origin = origin
            $0.end = sample
        }
    }

    /// Notes that a module is final up to a sample.
    func finalize(_ module: ObjectIdentifier, to sample: Int) {
        update { $0.finals[module] = max($0.finals[module] ?? 0, sample) }
    }

    func remove(_ module: ObjectIdentifier) { update { $0.finals[module] = nil } }

    private func update(_ change: (VolatileRange) -> Void) {
        lock.withLock {
            change(self)
            guard origin != nil else { return }
            let start = min(end, max(last?.lowerBound ?? 0, finals.values.min() ?? 0))
            let next = start..<max(start, end)
            guard next != last else { return }
            let previous = last
            last = next
            guard let range = timeRange(next) else { return }
            handler?(range, next.lowerBound != previous?.lowerBound, next.upperBound != previous?.upperBound)
        }
    }

    private func timeRange(_ samples: Range<Int>) -> CMTimeRange? {
        guard let origin else { return nil }
        let rate = Int32(AudioFile.sampleRate)
        let time = { (sample: Int) in CMTime(origin + AudioTime(value: Int64(sample), timescale: rate)) }
        return CMTimeRange(start: time(samples.lowerBound), end: time(samples.upperBound))
    }
}
