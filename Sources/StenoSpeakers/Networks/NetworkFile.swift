import Foundation
import StenoCompute
import StenoCore

/// The tensors of one known network in a safetensors file with PyTorch's names; each must have exactly the shape that
/// the network needs.
struct NetworkFile {
    /// The summand under a norm's square root, PyTorch's default.
    static let epsilon: Float = 1e-5

    private let file: SafetensorsFile
    /// The network in messages: `a GE2E voice encoder`.
    private let kind: String

    /// The values stay in the file; throws `modelNotFound` or `modelDamaged`.
    init(_ url: URL, kind: String) throws {
        file = try SafetensorsFile(path: url.path)
        self.kind = kind
    }

    func values(_ name: String, _ shape: [Int]) throws -> [Float] {
        guard let tensor = try file.tensor(name), tensor.shape == shape else {
            throw StenoError(
                .modelUnsupported,
                "\(file.name) is not \(kind): it has no tensor \(name) of shape \(shape). Download it again.")
        }
        return try tensor.floats().array
    }

    /// A tensor [outputs, inputs] as an affine map, each row of which may be multiplied by a factor.
    func linear(
        _ name: String, _ shape: [Int], factors: [Float]? = nil, bias: [Float]? = nil, precision: Precision = .float32
    ) throws -> Linear {
        try linear(values(name, shape), outputs: shape[0], factors: factors, bias: bias, precision: precision)
    }

    /// The same for weights [outputs, inputs] that have been put in another order.
    func linear(
        _ weights: [Float], outputs: Int, factors: [Float]? = nil, bias: [Float]? = nil, precision: Precision = .float32
    ) throws -> Linear {
        var weights = weights
        let inputs = weights.count / outputs
        let matrix = try PackedMatrix(outputs: outputs, inputs: inputs, precision: precision)
        let isFinite = weights.withUnsafeMutableBufferPointer { weights in
            guard let base = weights.baseAddress else { return true }
            for (row, factor) in (factors ?? []).enumerated() {
                for index in row * inputs..<(row + 1) * inputs { base[index] *= factor }
            }
            return matrix.setRows(from: 0, count: outputs, to: base)
        }
        guard isFinite else { throw notFinite }
        return Linear(matrix: matrix, bias: try bias.map { try FloatBuffer($0) })
    }

    /// The weights [outputs, channels, taps] of a convolution over time as rows for a product over consecutive frames,
    /// whose channels are contiguous: [outputs, taps, channels].
    func convolution(_ name: String, _ shape: [Int]) throws -> [Float] {
        Self.swappingLastTwo(try values(name, shape), rows: shape[0], shape[1], shape[2])
    }

    /// [rows, left, right] as [rows, right, left].
    static func swappingLastTwo(_ values: [Float], rows: Int, _ left: Int, _ right: Int) -> [Float] {
        [Float](unsafeUninitializedCapacity: values.count) { swapped, count in
            values.withUnsafeBufferPointer { values in
                for row in 0..<rows {
                    let first = row * left * right
                    for index in 0..<left {
                        for place in 0..<right {
                            swapped[first + place * left + index] = values[first + index * right + place]
                        }
                    }
                }
            }
            count = values.count
        }
    }

    /// A batch norm with its running statistics, as one factor and one summand for each channel.
    ///
    /// - Parameter hasWeights: Whether it has learned factors and summands of its own.
    func batchNorm(_ name: String, width: Int, hasWeights: Bool = true) throws -> (scale: [Float], shift: [Float]) {
        let means = try values(name + ".running_mean", [width])
        var scale = try values(name + ".running_var", [width]).map { 1 / ($0 + Self.epsilon).squareRoot() }
        var shift = zip(means, scale).map { -$0 * $1 }
        if hasWeights {
            let weights = try values(name + ".weight", [width])
            scale = zip(scale, weights).map { $0 * $1 }
            shift = try zip(zip(shift, weights), values(name + ".bias", [width])).map { $0.0 * $0.1 + $1 }
        }
        guard scale.allSatisfy(\.isFinite), shift.allSatisfy(\.isFinite) else { throw notFinite }
        return (scale, shift)
    }

    private var notFinite: StenoError {
        StenoError(
            .modelDamaged,
            "\(file.name) is damaged: it has weights that are infinite or not a number. Download it again.")
    }
}
