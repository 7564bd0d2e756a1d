import StenoCore

/// Converts a stream of buffers of any rate and channel count to 16 kHz mono on one timeline.
///
///     let converter = AudioStreamConverter()
///     for try await buffer in microphone {
///         for chunk in try converter.push(buffer) { try await engine.append(chunk) }
///     }
///     for chunk in converter.finish() { try await engine.append(chunk) }
///
/// Channels are averaged, other rates are resampled as in a file, and the result does not depend on the size of the
/// buffers. Rate and channels may change between buffers. Sample k is k/16,000 s after the first frame, even after
/// hours: changes of rate and start times between two samples shift it by less than a sample, without accumulating.
///
/// Start times, where buffers have them, determine their positions. A gap between two buffers becomes silence of that
/// length, or a jump of the positions if it is longer than `longestGap`; repeated audio is dropped; both are reported
/// in the chunks. A start time is taken as exact to one unit of its timescale, so that times in milliseconds cause no
/// gaps. A buffer without a start time follows the previous one.
///
/// A converter may be used by one task or thread at a time; ``AudioInput`` takes buffers from any thread.
package final class AudioStreamConverter {
    package var position: Int { output.position }
    /// The time of the source's clock at position 0; nil before the first buffer with a start time.
    package var startTime: AudioTime? { timeline.origin }

    /// The default for the longest gap filled with silence, in seconds.
    package static let longestGap = 30.0
    /// The upper limit of that option: silence takes memory, and a wrong clock can make a gap of any length.
    private static let longestSilence = 600.0

    private var timeline: AudioTimeline
    private var output = ChunkAssembly()
    /// One per recent rate, since the user may switch back to the previous microphone.
    private var resamplers: [Int: Resampler] = [:]
    /// The resampler of the current run; nil when the run is at 16 kHz or there is none.
    private var resampler: Resampler?
    private var isFinished = false

    /// - Parameters:
    ///   - longestGap: The longest gap that is filled with silence, from 0 to 600 s (other values are clamped); longer
    ///     ones make positions jump, which takes no memory. A start time further back than this, or more than a year
    ///     ahead, means that the clock was set: the audio continues, and later times count from there.
    ///   - tolerance: The jitter of start times that is ignored, in seconds.
    package init(longestGap: Double = AudioStreamConverter.longestGap, tolerance: Double = 0) {
        let gap = longestGap.isNaN ? Self.longestGap : max(0, min(Self.longestSilence, longestGap))
        timeline = AudioTimeline(longestGap: gap, tolerance: tolerance)
    }

    /// Converts the next buffer and returns the samples that are complete: usually one chunk, two around a jump.
    ///
    /// - Throws: `StenoError.invalidOption` after ``finish()``.
    package func push(_ buffer: PCMBuffer) throws -> [AudioChunk] {
        try ensure(!isFinished, or: .invalidOption, "The audio has ended. Make a new converter for more.")
        let frames = buffer.frameCount
        guard frames > 0 else { return [] }
        let placement = timeline.place(frames: frames, rate: buffer.sampleRate, startTime: buffer.startTime)
        if let run = placement.run { begin(run) }
        if let report = placement.discontinuity { output.report(report) }
        if placement.dropped < frames { convert(buffer.mono[placement.dropped...]) }
        return output.drain()
    }

    package func finish() -> [AudioChunk] {
        isFinished = true
        end(.silence)
        return output.drain()
    }

    private func begin(_ run: AudioTimeline.Run) {
        let edge: Resampler.Edge = run.junction == .joined && position > 0 ? .continuation : .silence
        end(edge)
        let (start, added) = run.start.units(at: Int32(AudioFile.sampleRate), rounding: .up)
        switch run.junction {
        case .joined: break
        case .filled: output.append(repeatElement(0, count: max(0, Int(start) - position)))
        case .skipped: output.jump(to: max(Int(start), position))
        }
        guard run.rate != AudioFile.sampleRate else { return }
        let resampler = resampler(for: run.rate)
        // The two differ when rounding a start time by a nanosecond crossed a sample.
        let delay = Int(start) == position ? (Int(added), Int(run.start.timescale)) : (0, 1)
        resampler.restart(after: delay, edge: edge)
        self.resampler = resampler
    }

    private func resampler(for rate: Int) -> Resampler {
        if let resampler = resamplers[rate] { return resampler }
        if resamplers.count >= 4 { resamplers.removeAll() }
        let resampler = Resampler(from: rate)
        resamplers[rate] = resampler
        return resampler
    }

    private func convert(_ samples: ArraySlice<Float>) {
        guard let resampler else { return output.append(samples) }
        samples.withUnsafeBufferPointer { resampler.push($0) }
        pull(resampler)
    }

    private func end(_ edge: Resampler.Edge) {
        guard let resampler else { return }
        resampler.finish(edge: edge)
        pull(resampler)
        self.resampler = nil
    }

    private func pull(_ resampler: Resampler) {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 4096) { buffer in
            while case let count = resampler.pull(into: buffer), count > 0 {
                // The filter overshoots at full-scale edges, so samples are clipped to ±1.
                output.append(buffer[..<count].lazy.map { min(1, max(-1, $0)) })
            }
        }
    }
}

/// Collects samples into chunks, with a new chunk at each jump.
private struct ChunkAssembly {
    private(set) var position = 0
    private var start = 0
    private var samples: [Float] = []
    private var reports: [AudioDiscontinuity] = []
    private var finished: [AudioChunk] = []

    mutating func append(_ more: some Sequence<Float>) {
        samples.append(contentsOf: more)
        position = start + samples.count
    }

    mutating func report(_ discontinuity: AudioDiscontinuity) { reports.append(discontinuity) }

    mutating func jump(to position: Int) {
        close()
        (start, self.position) = (position, position)
    }

    mutating func drain() -> [AudioChunk] {
        close()
        defer { finished.removeAll() }
        return finished
    }

    private mutating func close() {
        guard !samples.isEmpty || !reports.isEmpty else { return }
        finished.append(AudioChunk(position: start, samples: samples, discontinuities: reports))
        start = position
        samples.removeAll()
        reports.removeAll()
    }
}
