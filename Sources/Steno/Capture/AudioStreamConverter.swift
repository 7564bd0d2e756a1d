/// Turns buffers of any rate and channel count, as they come, into the 16 kHz mono samples of one timeline.
///
///     let converter = AudioStreamConverter()
///     for try await buffer in microphone {
///         for chunk in converter.push(buffer) { use(chunk.samples) }  // from chunk.position on
///     }
///     for chunk in converter.finish() { use(chunk.samples) }
///
/// Channels are averaged, other rates are resampled as in a file, and the result does not depend on how the audio was
/// cut into buffers. Rate and channels may change between buffers. Sample k stands k/16,000 s after the first frame,
/// after hours too: what a change of rate or a start time between two samples moves is less than a sample and does not
/// add up.
///
/// Start times, where buffers have them, place their audio. What is missing between two buffers becomes silence of that
/// length, or a jump of the positions where more than `longestGap` is missing; what comes twice is left out; all
/// is reported in the chunks. A start time is believed to one unit of its timescale, so that times in milliseconds
/// tear no holes. Without a start time a buffer follows the one before.
///
/// A converter belongs to one task or thread at a time.
public final class AudioStreamConverter {
    /// The number of the next sample that will come out.
    public var position: Int { output.position }
    /// What the source's clock says at position 0; nil while no buffer has had a start time.
    public var startTime: AudioTime? { timeline.origin }

    /// The longest gap that is filled with silence unless told otherwise, in seconds.
    public static let longestGap = 30.0

    private var timeline: AudioTimeline
    private var output = ChunkAssembly()
    /// One for each rate that came, since a microphone that was changed may be changed back.
    private var resamplers: [Int: Resampler] = [:]
    /// That of the present run; nil when the run is at 16 kHz or there is none.
    private var resampler: Resampler?
    private var isFinished = false

    /// Creates a converter.
    ///
    /// - Parameters:
    ///   - longestGap: The longest gap that is filled with silence, in seconds. Beyond it positions jump. A start time
    ///     that lies further back than this means that the clock was set, and is taken as its new zero.
    ///   - tolerance: How wrong start times may be with nothing missing, in seconds: for clocks that waver.
    public init(longestGap: Double = AudioStreamConverter.longestGap, tolerance: Double = 0) {
        timeline = AudioTimeline(longestGap: longestGap, tolerance: tolerance)
    }

    /// Takes the next buffer and returns the samples that are certain now: mostly one chunk, two around a jump.
    public func push(_ buffer: PCMBuffer) -> [AudioChunk] {
        precondition(!isFinished, "the audio has ended")
        let frames = buffer.frameCount
        guard frames > 0 else { return [] }
        let placement = timeline.place(frames: frames, rate: buffer.sampleRate, startTime: buffer.startTime)
        if let run = placement.run { begin(run) }
        if let report = placement.discontinuity { output.report(report) }
        if placement.dropped < frames { convert(buffer.mono[placement.dropped...]) }
        return output.take()
    }

    /// Ends the audio and returns its last samples.
    public func finish() -> [AudioChunk] {
        isFinished = true
        end(.silence)
        return output.take()
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
        // The two differ where a start that is no simple fraction was rounded across a sample, by a nanosecond.
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
                // The filter overshoots at the edges of full-scale audio, and samples end at ±1.
                output.append(buffer[..<count].lazy.map { min(1, max(-1, $0)) })
            }
        }
    }
}

/// Collects samples into chunks, a new one at each jump.
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

    mutating func take() -> [AudioChunk] {
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
