package import StenoCore

/// Packs a package's tensors for the kernels, in the requested precision.
///
/// Apart from the packed weights, only a few megabytes are in memory at a time: tensors are read in parts. Every value
/// is checked, because a model with infinite or NaN weights would still produce plausible text.
package final class WeightLoader {
    package let model: any TensorPackage
    package let precision: Precision
    private let isCancelled: () -> Bool
    /// The size of all tensors requested so far, in bytes.
    private var claimedBytes = 0
    /// The number of values of all tensors requested so far.
    package private(set) var claimedValues = 0

    /// The approximate number of floats decoded at a time: few enough to stay in a core's cache until they are packed.
    private static let partFloats = 1 << 16
    /// The approximate number of int8 weights packed at a time.
    private static let partNumbers = 1 << 20
    /// How far the tensors' total size may exceed the file's, in bytes: equal biases are often stored once.
    private static let sharedBytes = 1 << 20

    /// - Parameter isCancelled: Called before every part of a tensor; returning true stops the loading with code
    ///   `cancelled`.
    package init(_ model: any TensorPackage, precision: Precision, isCancelled: @escaping () -> Bool = { false }) {
        (self.isCancelled, self.model, self.precision) = (isCancelled, model, precision)
    }

    package func checkCancellation() throws {
        try ensure(!isCancelled(), or: .cancelled, "Loading the model was cancelled.")
    }

    /// The affine map of one module, or of several stacked: `[query, key, value]` become one product.
    ///
    /// Whisper's key projections have no bias; a missing bias is zeros.
    package func linear(_ modules: [String], outputs: Int, inputs: Int) throws -> Linear {
        let weights = try modules.map { try claim($0 + ".weight", shape: [outputs, inputs]) }
        let matrix = try PackedMatrix(outputs: outputs * modules.count, inputs: inputs, precision: precision)
        for (index, weight) in weights.enumerated() { try pack(weight, into: matrix, from: index * outputs) }
        let bias = try FloatBuffer(count: outputs * modules.count) { pointer in
            for (index, module) in modules.enumerated() {
                guard try model.tensor(module + ".bias") != nil else { continue }
                try copy(claim(module + ".bias", shape: [outputs]), to: pointer + index * outputs)
            }
        }
        return Linear(matrix: matrix, bias: bias)
    }

    /// The token embedding, which is also the output projection.
    package func embedding(_ name: String, outputs: Int, inputs: Int) throws -> PackedMatrix {
        let weight = try claim(name, shape: [outputs, inputs])
        let matrix = try PackedMatrix(outputs: outputs, inputs: inputs, precision: precision)
        try pack(weight, into: matrix, from: 0)
        return matrix
    }

    /// A convolution of kernel 3 as a product over three neighbouring rows: [out, in, 3] becomes [out, 3 · in].
    ///
    /// Always in float32, since rounding errors here affect everything that follows. With the second convolution in
    /// int8, encoding a window takes 5 % less time, but transcripts of one or two seconds of audio lose words.
    package func convolution(_ module: String, outputs: Int, inputs: Int) throws -> Linear {
        // Some formats store a convolution's bias as a column.
        let stored = try model.tensor(module + ".bias")?.shape ?? []
        let biasShape = stored.reduce(1, *) == outputs ? stored : [outputs]
        let product = try convolution(
            module, outputs: outputs, inputs: inputs, kernel: 3, precision: .float32, hasBias: false)
        return Linear(matrix: product.matrix, bias: try values(module + ".bias", shape: biasShape))
    }

    /// - Parameter hasBias: Whether the norm has a bias; otherwise it is zeros.
    package func norm(_ module: String, width: Int, hasBias: Bool = true) throws -> LayerNorm {
        LayerNorm(
            gamma: try values(module + ".weight", shape: [width]),
            beta: hasBias ? try values(module + ".bias", shape: [width]) : try FloatBuffer(count: width) { _ in },
            epsilon: model.normEpsilon)
    }

    /// A table of rows, such as the positional embedding.
    package func table(_ name: String, rows: Int, width: Int) throws -> FloatBuffer {
        try values(name, shape: [rows, width])
    }

    /// The tensor of that name and shape, counted against the size of the file.
    ///
    /// Otherwise a few bytes of aliases could reuse the same tensor for every layer, and allocate memory far beyond the
    /// file's size.
    private func claim(_ name: String, shape: [Int]) throws -> WeightTensor {
        try checkCancellation()
        let tensor = try model.tensor(name, shape: shape)
        claimedBytes += tensor.byteCount
        claimedValues += tensor.count
        try ensure(
            claimedBytes <= model.source.byteCount + Self.sharedBytes, or: .modelDamaged,
            "\(model.source.path) is damaged: its tensors together are larger than the file, so some bytes belong "
                + "to several of them. Download the model again.")
        return tensor
    }

    private func copy(_ tensor: WeightTensor, to values: UnsafeMutablePointer<Float>) throws {
        try eachPart(of: tensor, rows: Self.rows(tensor, values: Self.partFloats)) { rows in
            try tensor.copyRows(rows, to: values + rows.lowerBound * tensor.rowCount)
        }
    }

    private func pack(_ tensor: WeightTensor, into matrix: PackedMatrix, from first: Int) throws {
        precondition(first % matrix.rowAlignment == 0)
        if tensor.format == .int8, let scales = tensor.scales {
            try eachPart(of: tensor, rows: Self.rows(tensor, values: Self.partNumbers, matrix)) { rows in
                let stored = try tensor.bytes(of: rows)
                try stored.withUnsafeBytes { stored in
                    try scales.withUnsafeBufferPointer { scales in
                        guard let scale = scales.baseAddress, let start = stored.baseAddress else { return }
                        try tensor.check(
                            isFinite: matrix.setRows(
                                from: first + rows.lowerBound, count: rows.count,
                                to: start.assumingMemoryBound(to: Int8.self), scales: scale + rows.lowerBound))
                    }
                }
            }
            return
        }
        let step = Self.rows(tensor, values: Self.partFloats, matrix)
        let values = try ScratchBuffer(count: step * tensor.rowCount)
        try eachPart(of: tensor, rows: step) { rows in
            try tensor.decodeRows(rows, to: values.pointer)
            try tensor.check(
                isFinite: matrix.setRows(from: first + rows.lowerBound, count: rows.count, to: values.pointer))
        }
    }

    private func eachPart(of tensor: WeightTensor, rows step: Int, _ body: (Range<Int>) throws -> Void) throws {
        for start in stride(from: 0, to: tensor.rows, by: step) {
            try checkCancellation()
            let rows = start..<min(start + step, tensor.rows)
            try body(rows)
        }
    }

    /// The number of a tensor's rows with about `count` values, in whole panels of the destination matrix.
    private static func rows(_ tensor: WeightTensor, values count: Int, _ matrix: PackedMatrix? = nil) -> Int {
        let alignment = matrix?.rowAlignment ?? 1
        return max(count / max(tensor.rowCount, 1) / alignment, 1) * alignment
    }
}

extension WeightLoader {
    /// Copies a row of a tensor to the row that is packed, in another arrangement; what it leaves out is zeros.
    package typealias Arrangement = (_ from: UnsafePointer<Float>, _ to: UnsafeMutablePointer<Float>) -> Void

    /// The rows of several tensors of one shape, below each other, each rearranged to `inputs` columns; rows of any
    /// number can be stacked.
    ///
    /// - Parameters:
    ///   - precision: The precision of the matrix; nil is the loader's.
    ///   - arrange: nil copies the rows as they are.
    package func matrix(
        _ names: [String], shape: [Int], inputs: Int, precision: Precision? = nil, arrange: Arrangement? = nil
    ) throws -> PackedMatrix {
        let tensors = try names.map { try claim($0, shape: shape) }
        let (rows, count) = (shape[0], shape.dropFirst().reduce(1, *))
        precondition(arrange != nil || count == inputs, "rows that are not rearranged keep their width")
        let matrix = try PackedMatrix(
            outputs: rows * names.count, inputs: inputs, precision: precision ?? self.precision)
        guard let first = tensors.first else { return matrix }
        let step = Self.rows(first, values: Self.partFloats, matrix)
        let stored = try ScratchBuffer(count: step * count)
        let arranged = try ScratchBuffer(zeros: arrange == nil ? 0 : step * inputs)
        var (packed, waiting) = (0, 0)
        for (index, tensor) in tensors.enumerated() {
            var row = 0
            while row < rows {
                try checkCancellation()
                // Only whole panels can be packed, so a part may end with the first rows of the next tensor.
                let part = row..<min(row + step - waiting, rows)
                try tensor.decodeRows(part, to: stored.pointer + waiting * count)
                row = part.upperBound
                waiting += part.count
                guard waiting == step || index == tensors.count - 1 && row == rows else { continue }
                if let arrange {
                    for row in 0..<waiting { arrange(stored.pointer + row * count, arranged.pointer + row * inputs) }
                }
                let values = arrange == nil ? stored.pointer : arranged.pointer
                try tensor.check(isFinite: matrix.setRows(from: packed, count: waiting, to: values))
                (packed, waiting) = (packed + waiting, 0)
            }
        }
        return matrix
    }

    /// A tensor with any shape, as it is stored.
    package func values(_ name: String, shape: [Int]) throws -> FloatBuffer {
        let tensor = try claim(name, shape: shape)
        return try FloatBuffer(count: tensor.count) { try copy(tensor, to: $0) }
    }

    /// A convolution over time as a product over `kernel` neighbouring rows: [out, in, kernel] becomes [out, kernel ·
    /// in].
    package func convolution(
        _ module: String, outputs: Int, inputs: Int, kernel: Int, precision: Precision, hasBias: Bool = true
    ) throws -> Linear {
        let matrix = try matrix(
            [module + ".weight"], shape: [outputs, inputs, kernel], inputs: kernel * inputs, precision: precision
        ) { from, to in
            for input in 0..<inputs {
                for tap in 0..<kernel { to[tap * inputs + input] = from[input * kernel + tap] }
            }
        }
        return Linear(matrix: matrix, bias: hasBias ? try values(module + ".bias", shape: [outputs]) : nil)
    }

    /// A tensor with any shape, as it is stored; nil if the model has none of that name.
    package func valuesIfPresent(_ name: String, shape: [Int]) throws -> FloatBuffer? {
        try model.tensor(name) == nil ? nil : values(name, shape: shape)
    }

    /// The same, or zeros: a bias that a model may lack.
    package func valuesOrZeros(_ name: String, shape: [Int]) throws -> FloatBuffer {
        try valuesIfPresent(name, shape: shape) ?? FloatBuffer(count: shape.reduce(1, *)) { _ in }
    }
}
