package import StenoCore

/// The log-mel features of a recording of any length, as windows that advance, in bounded memory.
///
/// Rows are contiguous, with a frame's mel bands next to each other. Frames are 10 ms; a recording of `n` samples has
/// `n / 160` content frames and one more that contains its tail. A stream is used by one thread at a time.
package final class LogMelStream {
    /// The maximum relative to which the features are clamped; see ``LogMel``.
    package enum Maximum {
        /// That of the whole recording, which gives openai-whisper's features; the audio is read twice.
        case exact
        /// The largest value up to the end of the requested window, which is all that can be known of a pipe.
        ///
        /// Windows before the loudest moment of the audio then retain quieter details than they otherwise would.
        case running
    }

    /// Features of recordings up to a minute are kept, so that those are computed only once.
    package static let keptFrames = 6000

    package var melCount: Int { filterbank.count }
    /// Whether the maximum in use covers the whole recording.
    package var maximumIsExact: Bool { isMeasured || isExhausted }
    /// The number of content frames, once the end of the audio has been read (from the start, if the maximum is exact).
    package private(set) var contentFrames: Int?
    /// The number of samples, once the end of the audio has been read (from the start, if the maximum is exact).
    package private(set) var sampleCount: Int?
    /// The number of samples read in this pass.
    package var readSampleCount: Int { reader.sampleCount }
    package var isExhausted: Bool { reader.hasEnded && reader.frameCount == reader.totalFrames }

    /// The capacity of the sliding buffer in frames, which determines the memory in use.
    package var bufferedFrames: Int { rows.capacity / melCount }

    private var isMeasured = false
    private let filterbank: MelFilterbank
    private let reader: FrameReader
    private let checkCancellation: () throws -> Void
    /// Unnormalised rows [frame][mel] from frame `firstRow` to `reader.frameCount`.
    private var rows: [Float] = []
    /// Whether the 10 ms of samples at each of these frames are digital silence.
    private var silence: [Bool] = []
    private var firstRow = 0
    /// Rows before this frame are no longer needed.
    private var discarded = 0
    /// The maximum relative to which windows are normalised now.
    package private(set) var maximum = LogMel.silence

    /// Creates a stream and, for the exact maximum, reads the audio to its end.
    ///
    /// - Parameters:
    ///   - source: The audio, from its first sample.
    ///   - maximum: Falls back to `running` if the source cannot be rewound; ``maximumIsExact`` then is false.
    ///   - checkCancellation: Called before every block of at most 10 s; an error it throws ends the work.
    /// - Throws: The errors of the source and of `checkCancellation`.
    package init(
        _ source: any SampleSource, filterbank: MelFilterbank, maximum: Maximum = .exact,
        checkCancellation: @escaping () throws -> Void = {}
    ) throws {
        self.filterbank = filterbank
        self.reader = FrameReader(source)
        self.checkCancellation = checkCancellation
        // Before the first sample is read: afterwards it would be too late to learn that the source cannot be rewound.
        if maximum == .exact, try reader.rewind() { try measure() }
    }

    /// Copies content frames in the model's range to the front of `output`, and fills the remainder with zeros.
    ///
    /// - Parameters:
    ///   - frame: The first frame, which must not have been discarded.
    ///   - limit: The maximum number of frames to copy; zeros follow even if there is more audio.
    ///   - includingTail: Whether the frame after the content counts as content: faster-whisper's language detection,
    ///     unlike its transcription, gives it to the encoder.
    ///   - output: Whole rows of `melCount` values.
    /// - Returns: The number of frames copied.
    /// - Throws: Errors of the source or the cancellation check, or ``StenoError`` if the audio has changed.
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

    /// Whether the audio has a content frame at this index; reads up to it if necessary.
    ///
    /// - Throws: As ``window(at:limit:includingTail:into:)``.
    package func hasContent(at frame: Int) throws -> Bool {
        if let contentFrames { return frame < contentFrames }
        try compute(upTo: frame + 1)
        return frame < contentFrames ?? reader.frameCount
    }

    /// Whether all samples of these frames, as far as they exist, are so small that they are digital silence.
    ///
    /// - Throws: As ``window(at:limit:includingTail:into:)``.
    package func isSilent(_ frames: Range<Int>) throws -> Bool {
        precondition(frames.lowerBound >= discarded, "frames before \(discarded) have been discarded")
        // The answer for the whole recording is known sooner.
        if isMeasured, isSilent { return true }
        try compute(upTo: frames.upperBound)
        let end = max(frames.lowerBound, min(frames.upperBound, reader.frameCount))
        return silence[(frames.lowerBound - firstRow)..<(end - firstRow)].allSatisfy { $0 }
    }

    /// Whether all samples so far are digital silence; with the exact maximum, those of the whole recording.
    package private(set) var isSilent = true

    /// Reads another half second, to learn more about the source; returns false at the end of the audio.
    package func readOn() throws -> Bool {
        let known = reader.frameCount
        try compute(upTo: known + LogMel.framesPerSecond / 2)
        return reader.frameCount > known
    }

    /// Declares that frames before this one are no longer needed; the stream never goes back beyond them.
    package func discard(before frame: Int) { discarded = max(discarded, frame) }

    // MARK: Computing

    /// The first pass: finds the maximum and the length, and keeps the rows if the recording is short.
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
        silence.removeAll(keepingCapacity: true)
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

    /// Computes the next rows; returns false if there are none.
    private func computeBlock(limit: Int) throws -> Bool {
        try checkCancellation()
        guard let block = try reader.nextBlock(limit: limit) else { return false }
        let start = rows.count
        rows.append(contentsOf: [Float](repeating: 0, count: block.frames * melCount))
        rows.withUnsafeMutableBufferPointer { rows in
            guard let base = rows.baseAddress else { return }
            let loudest = LogMelKernel.compute(
                block.samples, frames: block.frames, filterbank: filterbank, into: base + start)
            maximum = max(maximum, loudest)
        }
        for frame in 0..<block.frames {
            // A frame's own samples are in the middle of its 25 ms.
            let own = block.samples + frame * LogMel.hopLength + LogMel.frameLength / 2
            // The first few samples decide for nearly every frame.
            let isSilent =
                Reductions.peak(own, count: 16) <= LogMel.silencePeak
                && Reductions.peak(own, count: LogMel.hopLength) <= LogMel.silencePeak
            silence.append(isSilent)
            if !isSilent { self.isSilent = false }
        }
        return true
    }

    private func dropRows(before frame: Int) {
        let count = min(frame, reader.frameCount) - firstRow
        guard count > 0 else { return }
        rows.removeFirst(count * melCount)
        silence.removeFirst(count)
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
        StenoError(
            .audioUnreadable,
            "The audio changed while it was being read. Try again when the file is no longer being written.")
    }
}
