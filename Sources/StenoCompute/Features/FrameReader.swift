internal import CStenoKernels
package import StenoCore

/// Reads the audio of a ``SampleSource`` as blocks of overlapping frames, padded at both ends as Whisper expects.
///
/// Frame `f` is centred on sample `160 f`. The first frames extend to before the audio, where it is reflected (x[−i] =
/// x[i]). faster-whisper appends 160 zeros, reflects again, and drops the last frame; as no remaining frame reaches 40
/// samples into that second reflection, whatever the length, only zeros are ever reflected. The audio is therefore
/// followed by plain silence, and a recording of `n` samples has `n / 160 + 1` frames.
package final class FrameReader {
    /// The maximum number of frames in a block: 10 s of audio.
    package static let blockFrames = 1000

    private(set) var frameCount = 0
    private(set) var sampleCount = 0
    /// Whether the source has ended; ``sampleCount`` is then its length.
    private(set) var hasEnded = false

    private let source: any SampleSource
    /// The audio from frame `frameCount − blockInUse` on; `filled` samples.
    private let buffer: UnsafeMutableBufferPointer<Float>
    private var filled = 0
    /// The number of frames at the front of the buffer that have been returned.
    private var blockInUse = 0

    package init(_ source: any SampleSource) {
        self.source = source
        // One hop more than a block, since the reflection needs one sample beyond the first frame.
        buffer = .allocate(capacity: Self.blockFrames * LogMel.hopLength + LogMel.frameLength)
        buffer.initialize(repeating: 0)
    }

    deinit { buffer.deallocate() }

    /// The number of frames in the audio, once its end has been read.
    package var totalFrames: Int? { hasEnded ? sampleCount / LogMel.hopLength + 1 : nil }

    /// Starts again at the first sample; returns false if the source cannot be rewound.
    package func rewind() throws -> Bool {
        guard try source.rewind() else { return false }
        (frameCount, sampleCount, hasEnded, filled, blockInUse) = (0, 0, false, 0, 0)
        return true
    }

    /// The samples of the next frames and their number, from 1 to `limit`; nil after the last frame.
    ///
    /// Frame `i` of the block starts at sample `160 i`. The pointer is valid until the next call.
    package func nextBlock(limit: Int) throws -> (samples: UnsafePointer<Float>, frames: Int)? {
        precondition(limit > 0, "a block has at least one frame")
        discardBlockInUse()
        let wanted = min(limit, Self.blockFrames)
        let length = (wanted - 1) * LogMel.hopLength + LogMel.frameLength
        if frameCount == 0 { try readStart() }
        try read(upTo: length)
        guard let start = buffer.baseAddress else { return nil }
        let frames = min(wanted, (totalFrames ?? .max) - frameCount)
        guard frames > 0 else { return nil }
        frameCount += frames
        blockInUse = frames
        return (UnsafePointer(start), frames)
    }

    private func discardBlockInUse() {
        guard blockInUse > 0, let start = buffer.baseAddress else { return }
        let used = blockInUse * LogMel.hopLength
        start.update(from: start + used, count: filled - used)
        filled -= used
        blockInUse = 0
    }

    private func readStart() throws {
        let half = LogMel.frameLength / 2
        filled = half
        try read(upTo: 2 * half + 1)
        for distance in 1...half { buffer[half - distance] = buffer[half + distance] }
    }

    /// Fills the buffer up to `length` samples, with silence beyond the end of the audio.
    private func read(upTo length: Int) throws {
        while filled < length, !hasEnded {
            let room = UnsafeMutableBufferPointer(rebasing: buffer[filled..<length])
            let count = max(0, try source.read(into: room))
            precondition(count <= room.count, "a source never reads more samples than there is room for")
            try NumberConversion.check(samples: UnsafeBufferPointer(rebasing: room[..<count]), first: sampleCount)
            hasEnded = count == 0
            filled += count
            sampleCount += count
        }
        guard filled < length else { return }
        buffer[filled..<length].update(repeating: 0)
        filled = length
    }
}

/// The filter y[n] = x[n] − coefficient · x[n − 1], over consecutive blocks of samples.
package struct PreEmphasis: Sendable {
    private let coefficient: Float
    /// The last sample of the previous block.
    private var previous: Float = 0

    package init(coefficient: Float) { self.coefficient = coefficient }

    package mutating func append(_ samples: UnsafeBufferPointer<Float>, to output: inout [Float]) {
        guard let base = samples.baseAddress, let last = samples.last else { return }
        let start = output.count
        output.append(contentsOf: samples)
        output.withUnsafeMutableBufferPointer { output in
            guard let to = output.baseAddress else { return }
            steno_pre_emphasis(base, samples.count, coefficient, previous, to + start)
        }
        previous = last
    }
}
