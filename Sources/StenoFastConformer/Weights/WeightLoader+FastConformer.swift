import StenoCompute
import StenoCore

extension WeightLoader {
    /// The affine map of one module, whose weight has the shape [outputs, inputs, 1 …]; a missing bias is zeros.
    ///
    /// - Parameter scale: The results are multiplied by this: exactly, if it is a power of two.
    func affine(_ module: String, shape: [Int], scale: Float = 1) throws -> Linear {
        let inputs = shape.dropFirst().reduce(1, *)
        let matrix = try matrix(module + ".weight", shape: shape, inputs: inputs) { row, to in
            for column in 0..<inputs { to[column] = scale * row[column] }
        }
        let bias = try valuesOrZeros(module + ".bias", shape: [shape[0]])
        return Linear(matrix: matrix, bias: scale == 1 ? bias : try FloatBuffer(bias.array.map { scale * $0 }))
    }

    /// A depthwise convolution's weights [channels, 1, taps …] as [taps, channels], each channel scaled.
    func taps(_ name: String, shape: [Int], scale: [Float]? = nil) throws -> FloatBuffer {
        let stored = try required(name, shape: shape).array
        let channels = shape[0], taps = shape.dropFirst().reduce(1, *)
        return try FloatBuffer(count: channels * taps) { values in
            for channel in 0..<channels {
                for tap in 0..<taps {
                    values[tap * channels + channel] = stored[channel * taps + tap] * (scale?[channel] ?? 1)
                }
            }
        }
    }

    /// All values of a tensor that must be there.
    func required(_ name: String, shape: [Int]) throws -> FloatBuffer {
        // Tables need a row and a column; the shape itself is checked here.
        guard let values = try valuesIfPresent(name, shape: shape) else {
            throw StenoError(
                .modelDamaged, "The model has no tensor \(name). Check that the model is complete and of this family.")
        }
        return values
    }
}
