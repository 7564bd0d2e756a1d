/// The log-mel features of a recording of any length, in windows that move forward, in memory that does not grow.
///
/// Rows stand one after the other, a frame's mel bands side by side. Frames are 10 ms; a recording of `n` samples has
/// `n / 160` content frames, and one more, the last, that its tail is in. A stream is used by one thread at a time.
package final class LogMelStream {
    /// Which maximum the features are clamped by; see ``LogMel``.
    package enum Maximum {
        /// That of the whole recording, so that the features are openai-whisper's; the audio is read twice.
        case exact
        /// The largest value up to the end of the window asked for: what can be known of a pipe.
        ///
        /// Windows before the loudest moment of the audio then keep quieter details than they would have kept.
        case running
    }

    /// Recordings of up to a minute are kept whole, and so need no second reading.
    package static let keptFrames = 6000

    /// The number of values in a row.
    package var melCount: Int { filterbank.count }
    /// Whether the maximum is known to be that of the whole recording.
    package var maximumIsExact: Bool { isMeasured || isExhausted }
    /// How many content frames the audio has, once its end has been read (from the start, if the maximum is exact).
    package private(set) var contentFrames: Int?
    /// How many samples the audio has, once its end has been read (from the start, if the maximum is exact).
    package private(set) var sampleCount: Int?
    /// How many samples have been read in this pass.
    package var readSampleCount: Int { reader.sampleCount }
    /// Whether all frames have been computed.
    package var isExhausted: Bool { reader.hasEnded && reader.frameCount == reader.totalFrames }

    /// How many frames the sliding buffer has room for: what the memory depends on.
    package var bufferedFrames: Int { rows.capacity / melCount }

    private var isMeasured = false
    private let filterbank: MelFilterbank
    private let reader: FrameReader
    private let checkCancellation: () throws -> Void
    /// Raw rows [frame][mel] from frame `firstRow` to `reader.frameCount`.
    private var rows: [Float] = []
    private var firstRow = 0
    /// Rows before this frame are not needed any more.
    private var discarded = 0
    private var maximum = LogMel.silence

    /// Creates a stream and, for the exact maximum, reads the audio to its end.
    ///
    /// - Parameters:
    ///   - source: The audio, from its first sample.
    ///   - filterbank: The mel filters.
    ///   - maximum: Falls back to `running` when the source cannot be rewound, which ``maximumIsExact`` tells.
    ///   - checkCancellation: Called before every block of at most 10 s; what it throws ends the work.
    /// - Throws: What the source or `checkCancellation` throws.
    package init(
        _ source: any SampleSource, filterbank: MelFilterbank, maximum: Maximum = .exact,
        checkCancellation: @escaping () throws -> Void = {}
    ) throws {
        self.filterbank = filterbank
        self.reader = FrameReader(source)
        self.checkCancellation = checkCancellation
        // Asked before the first sample: afterwards it would be too late to learn that the answer is no.
        if maximum == .exact, try reader.rewind() { try measure() }
    }

    /// Copies content frames in the model's range to the front of `output`, and fills the rest of it with zeros.
    ///
    /// - Parameters:
    ///   - frame: The first frame, not before one that has been discarded.
    ///   - limit: The most frames to copy; zeros follow even if there is more audio.
    ///   - includingTail: Whether the frame after the content counts as content: faster-whisper's language detection,
    ///     unlike its transcription, lets the encoder see it.
    ///   - output: Whole rows of `melCount` values.
    /// - Returns: How many frames were copied.
    /// - Throws: What the source or the cancellation check throws, or ``StenoError`` if the audio has changed.
    package func window(
        at frame: Int, limit: Int = .max, includingTail: Bool = false, into output: UnsafeMutableBufferPointer<Float>
    ) throws -> Int {
        precondition(frame >= discarded, "frames before \(discarded) have been discarded")
        precondition(output.count.isMultiple(of: melCount), "a window is whole rows")
        let wanted = min(limit, output.count / melCount)
        try compute(upTo: frame + wanted)
        let end = (contentFrames.map { includingTail ? $0 + 1 : $0 }) ?? reader.frameCount
        let count = max(0, min(wanted, end - frame))
        copy(from: frame, count: count, into: output)
        output[(count * melCount)...].update(repeating: 0)
        return count
    }

    /// Whether the audio has a content frame at this place, reading up to it if need be.
    ///
    /// - Throws: As ``window(at:limit:includingTail:into:)``.
    package func hasContent(at frame: Int) throws -> Bool {
        if let contentFrames { return frame < contentFrames }
        try compute(upTo: frame + 1)
        return frame < contentFrames ?? reader.frameCount
    }

    /// Reads on for half a second, to learn more of the source; false at the end of the audio.
    package func readOn() throws -> Bool {
        let known = reader.frameCount
        try compute(upTo: known + LogMel.framesPerSecond / 2)
        return reader.frameCount > known
    }

    /// Says that frames before this one will not be asked for again; the stream never goes back beyond them.
    package func discard(before frame: Int) { discarded = max(discarded, frame) }

    // MARK: Computing

    /// The first pass: finds the maximum and the length, and keeps the rows of a recording that is short enough.
    private func measure() throws {
        rows.reserveCapacity(Self.keptFrames * melCount)
        while !isExhausted {
            if reader.frameCount - firstRow > Self.keptFrames - FrameReader.blockFrames { dropRows(before: .max) }
            guard try computeBlock(limit: FrameReader.blockFrames) else { break }
        }
        isMeasured = true
        sampleCount = reader.sampleCount
        contentFrames = reader.totalFrames.map { $0 - 1 }
        guard firstRow > 0 else { return }
        guard try reader.rewind() else { throw Self.changed }
        rows.removeAll(keepingCapacity: true)
        firstRow = 0
    }

    private func compute(upTo frame: Int) throws {
        while reader.frameCount < frame {
            dropRows(before: discarded)
            guard try computeBlock(limit: min(FrameReader.blockFrames, frame - reader.frameCount)) else { break }
        }
        guard let total = reader.totalFrames else { return }
        if let contentFrames, contentFrames != total - 1 { throw Self.changed }
        contentFrames = total - 1
        sampleCount = reader.sampleCount
    }

    /// Computes the next rows; false when there are none.
    private func computeBlock(limit: Int) throws -> Bool {
        try checkCancellation()
        guard let block = try reader.nextBlock(limit: limit) else { return false }
        let start = rows.count
        rows.append(contentsOf: repeatElement(0, count: block.frames * melCount))
        rows.withUnsafeMutableBufferPointer { rows in
            guard let base = rows.baseAddress else { return }
            let loudest = LogMelKernel.compute(
                block.samples, frames: block.frames, filterbank: filterbank, into: base + start)
            maximum = max(maximum, loudest)
        }
        return true
    }

    private func dropRows(before frame: Int) {
        let count = min(frame, reader.frameCount) - firstRow
        guard count > 0 else { return }
        rows.removeFirst(count * melCount)
        firstRow += count
    }

    private func copy(from frame: Int, count: Int, into output: UnsafeMutableBufferPointer<Float>) {
        guard count > 0, let target = output.baseAddress else { return }
        rows.withUnsafeBufferPointer { rows in
            guard let base = rows.baseAddress else { return }
            let start = base + (frame - firstRow) * melCount
            LogMelKernel.normalize(start, count: count * melCount, maximum: maximum, into: target)
        }
    }

    private static var changed: StenoError {
        StenoError(.audioUnreadable, "The audio changed while it was being read. Try again when it is complete.")
    }
}
