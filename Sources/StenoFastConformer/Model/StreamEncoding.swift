import StenoCompute
import StenoCore

/// The encoder's memory of a stream: frames come out as soon as their chunk is complete, and never change.
///
/// A chunk is a frame and its look-ahead. Frames attend to their whole chunk and to whole chunks before it (`chunked
/// limited` in NeMo), so the results equal those of a whole utterance, however the audio arrives.
final class StreamEncoding {
    /// The most frames in one pass through the layers, apart from the rest of a chunk.
    private static let passFrames = 112
    /// Rows of keys and values beyond those of a pass: these are moved only when the room is used up.
    private static let spareRows = 128

    /// What a layer keeps of earlier passes.
    private struct Memory {
        /// Keys and values: [rows, 2 · width].
        let keyValues: ScratchBuffer
        /// The last rows after the gate: [kernel − 1, width].
        let convolved: ScratchBuffer
    }

    private let encoder: FastConformerEncoder
    private let context: ComputeContext
    private let subsampling: SubsamplingState
    private let scratch: EncoderScratch
    private let memories: [Memory]
    /// Rows of keys and values that a layer has room for.
    private let keyValueRows: Int
    /// The most rows in a pass.
    private let passCapacity: Int
    /// The largest distance between a frame and one that it attends to, with any look-ahead.
    private let reach: Int
    private var firsts: [Int32]
    private var ends: [Int32]
    /// Encoder frames that wait for the rest of their chunk: [passCapacity, width].
    private let waiting: ScratchBuffer

    /// Frames in a chunk.
    private var chunk = 1
    /// Frames before its chunk that a frame attends to.
    private var left = 0
    private var waitingCount = 0
    /// The frames that have been encoded.
    private var frameCount = 0
    /// The rows of keys and values in use.
    private var kept = 0..<0

    init(_ encoder: FastConformerEncoder, _ streaming: FastConformerConfiguration.Streaming, context: ComputeContext)
        throws
    {
        let configuration = encoder.configuration, width = configuration.width
        (self.encoder, self.context) = (encoder, context)
        let longest = 1 + (streaming.lookAheads.max() ?? 0)
        // What waits, and the frames of one block of mel rows.
        passCapacity =
            max(Self.passFrames, longest) + longest + SubsamplingState.frames(from: SubsamplingState.blockRows)
        reach = streaming.left + longest - 1
        keyValueRows = streaming.left + passCapacity + Self.spareRows
        subsampling = try SubsamplingState(encoder.subsampling, context: context)
        scratch = try EncoderScratch(
            configuration, layers: encoder.layers, capacity: passCapacity, positions: streaming.left + passCapacity,
            context: context)
        let rows = keyValueRows
        memories = try encoder.layers.map { _ in
            Memory(
                keyValues: try ScratchBuffer(count: rows * 2 * width),
                convolved: try ScratchBuffer(count: configuration.convolutionLeft * width))
        }
        waiting = try ScratchBuffer(count: passCapacity * width)
        firsts = [Int32](repeating: 0, count: passCapacity)
        ends = firsts
    }

    func begin(lookAhead: Int, left: Int) {
        chunk = lookAhead + 1
        self.left = left / chunk * chunk
        (waitingCount, frameCount) = (0, 0)
        kept = 0..<0
        subsampling.begin()
        let width = encoder.configuration.width
        for memory in memories {
            memory.convolved.pointer.update(repeating: 0, count: encoder.configuration.convolutionLeft * width)
        }
    }

    /// Passes on the next mel rows; `onFrames` gets the frames that are complete, in order, perhaps several times.
    ///
    /// - Parameters:
    ///   - isLast: Whether the utterance ends with these rows; the last chunk may be short.
    ///   - checkCancellation: Called before each layer; an error it throws ends the work.
    func append(
        _ mel: [Float], isLast: Bool, checkCancellation: () throws -> Void,
        onFrames: (_ frames: Rows, _ count: Int) throws -> Void
    ) throws {
        let bands = encoder.configuration.melCount, rows = mel.count / bands
        let frames = Rows(waiting.pointer, stride: encoder.configuration.width)
        var done = 0
        repeat {
            let count = min(SubsamplingState.blockRows, rows - done)
            let ends = isLast && done + count == rows
            let new = mel.withUnsafeBufferPointer { mel in
                subsampling.append(
                    UnsafeBufferPointer(rebasing: mel[done * bands..<(done + count) * bands]), isLast: ends,
                    into: frames.from(waitingCount))
            }
            encoder.scale(frames.from(waitingCount), count: new)
            waitingCount += new
            done += count
            if waitingCount >= Self.passFrames || done == rows {
                try encodeWaiting(isLast: ends, checkCancellation, onFrames)
            }
        } while done < rows
    }

    /// Encodes the complete chunks among the waiting frames.
    private func encodeWaiting(
        isLast: Bool, _ checkCancellation: () throws -> Void, _ onFrames: (Rows, Int) throws -> Void
    ) throws {
        let count = isLast ? waitingCount : waitingCount / chunk * chunk
        guard count > 0 else { return }
        let width = encoder.configuration.width
        scratch.x.pointer.update(from: waiting.pointer, count: count * width)
        waitingCount -= count
        waiting.pointer.update(from: waiting.pointer + count * width, count: waitingCount * width)
        try encode(count, checkCancellation)
        try onFrames(scratch.x, count)
    }

    /// Encodes the next frames, which begin with a chunk and are in the scratch's rows.
    private func encode(_ count: Int, _ checkCancellation: () throws -> Void) throws {
        let width = encoder.configuration.width
        makeRoom(for: count)
        setRanges(count)
        try firsts.withUnsafeBufferPointer { firsts in
            try ends.withUnsafeBufferPointer { ends in
                guard let first = firsts.baseAddress, let end = ends.baseAddress else { return }
                for (index, layer) in encoder.layers.enumerated() {
                    try checkCancellation()
                    let encodings = try encoder.positions.encodings(
                        layer: index, reach: reach, in: context, checkCancellation: checkCancellation)
                    let keyValues = Rows(memories[index].keyValues.pointer, stride: 2 * width)
                    let span = AttentionSpan(
                        keyValues: keyValues.from(kept.lowerBound), queryPosition: kept.count, ranges: (first, end),
                        encodings: encodings)
                    layer.forward(rows: count, scratch: scratch, span: span, convolved: memories[index].convolved)
                }
            }
        }
        let end = kept.upperBound + count
        kept = max(kept.lowerBound, end - left)..<end
        frameCount += count
    }

    /// Moves the keys and values to the front if there is no room behind them.
    private func makeRoom(for count: Int) {
        guard kept.upperBound + count > keyValueRows else { return }
        let size = 2 * encoder.configuration.width
        for memory in memories {
            let start = memory.keyValues.pointer
            start.update(from: start + kept.lowerBound * size, count: kept.count * size)
        }
        kept = 0..<kept.count
    }

    /// The keys of each query, counted from the first that is kept.
    private func setRanges(_ count: Int) {
        let origin = frameCount - kept.count
        for row in 0..<count {
            let start = (frameCount + row) / chunk * chunk
            firsts[row] = Int32(max(start - left, origin) - origin)
            ends[row] = Int32(min(start + chunk, frameCount + count) - origin)
        }
    }
}
