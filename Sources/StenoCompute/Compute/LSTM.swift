internal import CStenoKernels

/// One layer of a long short-term memory (Hochreiter, Schmidhuber 1997), as PyTorch's `LSTM` computes it.
package struct LSTM: Sendable {
    /// [4 · width, inputs]: the projection of the input to the input, forget, cell and output gates, with both biases.
    package let input: Linear
    /// [4 · width, width]: the projection of the previous output.
    package let recurrence: Linear

    /// Creates a layer, whose width must be a multiple of 16.
    package init(input: Linear, recurrence: Linear) {
        precondition(input.matrix.outputs == recurrence.matrix.outputs, "both projections have the same gates")
        precondition(recurrence.matrix.inputs.isMultiple(of: 16), "the kernel computes 16 cells at once")
        (self.input, self.recurrence) = (input, recurrence)
    }

    package var width: Int { recurrence.matrix.inputs }

    /// Computes the input projections of `steps` steps of `rows` independent sequences, and then step by step their
    /// outputs.
    ///
    /// - Parameters:
    ///   - x: [steps · rows, inputs]: all sequences' first inputs, then their second …
    ///   - gates: Room for [steps · rows, 4 · width].
    ///   - cell: [rows, width]: the cells' state, which is updated.
    ///   - hidden: [rows, width]: the last outputs, which are updated.
    ///   - outputs: Receives [steps · rows, width]; nil when only the last outputs matter.
    package func run(
        _ x: Rows, steps: Int, rows: Int, gates: UnsafeMutablePointer<Float>, cell: UnsafeMutablePointer<Float>,
        hidden: UnsafeMutablePointer<Float>, outputs: UnsafeMutablePointer<Float>?, in context: ComputeContext
    ) {
        let all = Rows(gates, stride: 4 * width)
        input.apply(x, rows: steps * rows, into: all, in: context)
        for step in 0..<steps {
            let own = all.from(step * rows)
            recurrence.apply(Rows(hidden, stride: width), rows: rows, into: own, adding: own, in: context)
            self.step(own, rows: rows, cell: cell, hidden: hidden)
            if let outputs { (outputs + step * rows * width).update(from: hidden, count: rows * width) }
        }
    }

    /// Updates the state and the outputs of `rows` sequences by one step, from the pre-activations of their gates.
    func step(_ gates: Rows, rows: Int, cell: UnsafeMutablePointer<Float>, hidden: UnsafeMutablePointer<Float>) {
        steno_lstm_step(gates.pointer, Int64(gates.stride), Int32(rows), Int32(width), cell, hidden)
    }
}

/// The working memory of one thread that runs layers of ``LSTM`` over whole sequences.
///
/// A layer's directions do not depend on each other, so each may have a lane, and the lanes their own threads.
package final class LSTMLane {
    /// Rows of the input's product, whose results stay in a core's second cache.
    private static let rowsPerProduct = 96

    // One thread: a step's product is too small to share.
    private let context = ComputeContext(pool: WorkerPool(threads: 1))
    /// [rows per product, 4 · width]: the pre-activations of the gates.
    private let gates: ScratchBuffer
    private let cell: ScratchBuffer
    private let hidden: ScratchBuffer
    private let gateRows: Int
    private let width: Int
    private let capacity: Int

    /// Allocates memory for `rows` sequences at once, through any of these layers, which have equal widths.
    ///
    /// - Throws: ``StenoError`` with code `outOfMemory`.
    package init(_ layers: [LSTM], rows: Int) throws {
        let width = layers.first?.width ?? 0
        precondition(layers.allSatisfy { $0.width == width }, "the layers have equal widths")
        self.width = width
        capacity = rows
        gateRows = max(Self.rowsPerProduct, rows)
        gates = try ScratchBuffer(zeros: gateRows * 4 * width)
        cell = try ScratchBuffer(zeros: rows * width)
        hidden = try ScratchBuffer(zeros: rows * width)
        for layer in layers {
            try context.reserve(layer.input, rows: gateRows)
            try context.reserve(layer.recurrence, rows: rows)
        }
    }

    /// Computes the outputs of `rows` independent sequences, from a state of zeros.
    ///
    /// - Parameters:
    ///   - x: [steps · rows, inputs]: all sequences' first inputs, then their second …
    ///   - backward: Whether the last step comes first.
    ///   - outputs: Receives [steps · rows, width], in the order of `x`.
    package func run(_ layer: LSTM, _ x: Rows, steps: Int, rows: Int, backward: Bool, into outputs: Rows) {
        precondition(layer.width == width && rows <= capacity, "the lane has memory for the layer and the rows")
        cell.pointer.update(repeating: 0, count: rows * width)
        hidden.pointer.update(repeating: 0, count: rows * width)
        let all = Rows(gates.pointer, stride: 4 * width), state = Rows(hidden.pointer, stride: width)
        let most = gateRows / max(rows, 1)
        for done in stride(from: 0, to: steps, by: most) {
            let count = min(most, steps - done)
            let first = backward ? steps - done - count : done
            layer.input.apply(x.from(first * rows), rows: count * rows, into: all, in: context)
            for index in 0..<count {
                let step = backward ? count - 1 - index : index
                let own = all.from(step * rows)
                layer.recurrence.apply(state, rows: rows, into: own, adding: own, in: context)
                layer.step(own, rows: rows, cell: cell.pointer, hidden: hidden.pointer)
                let out = outputs.from((first + step) * rows)
                for row in 0..<rows { out.from(row).pointer.update(from: hidden.pointer + row * width, count: width) }
            }
        }
    }
}
