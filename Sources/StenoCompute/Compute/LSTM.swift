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
        self.input = input
        self.recurrence = recurrence
    }

    /// The number of cells.
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
