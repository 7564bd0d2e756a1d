import StenoCompute
import StenoCore

/// The prediction network of one stream: the LSTM layers' state, and its projected output for the tokens so far.
final class TransducerState {
    /// Frames whose logits are computed at once while no token comes.
    static let blockFrames = 8

    private let head: TransducerHead
    private let context: ComputeContext
    private let cells: [ScratchBuffer]
    private let hidden: [ScratchBuffer]
    private let gates: ScratchBuffer
    /// The projected output g, [joint width].
    private let predicted: ScratchBuffer
    /// ReLU(e + g) of a block of frames.
    private let joined: ScratchBuffer
    private let logits: ScratchBuffer
    /// Logits of one frame.
    let logitCount: Int

    init(_ head: TransducerHead, context: ComputeContext) throws {
        let width = head.transducer.predictorWidth, joint = head.transducer.jointWidth
        self.head = head
        self.context = context
        cells = try head.layers.map { _ in try ScratchBuffer(zeros: width) }
        hidden = try head.layers.map { _ in try ScratchBuffer(zeros: width) }
        gates = try ScratchBuffer(count: 4 * width)
        predicted = try ScratchBuffer(count: joint)
        joined = try ScratchBuffer(count: Self.blockFrames * joint)
        logitCount = head.output.matrix.outputs
        logits = try ScratchBuffer(count: Self.blockFrames * logitCount)
        for layer in head.layers {
            try context.reserve(layer.input, rows: 1)
            try context.reserve(layer.recurrence, rows: 1)
        }
        try context.reserve(head.predictorProjection, rows: 1)
        try context.reserve(head.output, rows: Self.blockFrames)
        begin()
    }

    /// Forgets all tokens.
    func begin() {
        for buffer in cells + hidden { buffer.pointer.update(repeating: 0, count: buffer.count) }
        read(head.blank)
    }

    /// Reads the next token.
    func read(_ token: Int) {
        let width = head.transducer.predictorWidth
        var input = UnsafeMutablePointer(mutating: head.embedding.pointer + token * width)
        for (index, layer) in head.layers.enumerated() {
            layer.run(
                Rows(input, stride: width), steps: 1, rows: 1, gates: gates.pointer, cell: cells[index].pointer,
                hidden: hidden[index].pointer, outputs: nil, in: context)
            input = hidden[index].pointer
        }
        head.predictorProjection.apply(
            Rows(input, stride: width), rows: 1, into: Rows(predicted.pointer, stride: predicted.count), in: context)
    }

    /// The logits of some projected frames with the tokens so far: [count, logitCount], valid until the next call.
    func logits(_ frames: Rows, count: Int) -> UnsafePointer<Float> {
        let joint = predicted.count
        for row in 0..<count {
            let frame = frames.from(row).pointer, sum = joined.pointer + row * joint
            for channel in 0..<joint { sum[channel] = max(frame[channel] + predicted.pointer[channel], 0) }
        }
        head.output.apply(
            Rows(joined.pointer, stride: joint), rows: count, into: Rows(logits.pointer, stride: logitCount),
            in: context)
        return UnsafePointer(logits.pointer)
    }

    // MARK: Beams

    /// What the prediction network knows after some tokens.
    struct Memory {
        fileprivate var cells: [[Float]]
        fileprivate var hidden: [[Float]]
        fileprivate var predicted: [Float]
    }

    var memory: Memory {
        get {
            func copy(_ buffer: ScratchBuffer) -> [Float] {
                Array(UnsafeBufferPointer(start: buffer.pointer, count: buffer.count))
            }
            return Memory(cells: cells.map(copy), hidden: hidden.map(copy), predicted: copy(predicted))
        }
        set {
            for (buffer, values) in zip(cells + hidden, newValue.cells + newValue.hidden) {
                buffer.pointer.update(from: values, count: values.count)
            }
            predicted.pointer.update(from: newValue.predicted, count: newValue.predicted.count)
        }
    }

    /// The logits of one projected frame after each of some tokens: at most ``blockFrames`` rows, valid until the next call.
    func logits(_ frame: UnsafePointer<Float>, after memories: ArraySlice<Memory>) -> UnsafePointer<Float> {
        let joint = predicted.count
        for (row, memory) in memories.enumerated() {
            let sum = joined.pointer + row * joint
            for channel in 0..<joint { sum[channel] = max(frame[channel] + memory.predicted[channel], 0) }
        }
        head.output.apply(
            Rows(joined.pointer, stride: joint), rows: memories.count, into: Rows(logits.pointer, stride: logitCount),
            in: context)
        return UnsafePointer(logits.pointer)
    }
}
