import StenoCompute
import StenoCore

/// Moonshine's front end: three convolutions over the samples, without padding, with a norm over all of the first one's
/// output.
///
/// A convolution is a product over neighbouring rows, which are contiguous, so nothing is copied.
struct AudioFrontEnd: Sendable {
    private let width: Int
    private let convolution1: Linear
    private let norm: GroupNorm
    private let convolution2: Linear
    private let convolution3: Linear

    init(_ loader: WeightLoader, width: Int) throws {
        self.width = width
        // The first convolution sees samples, whose peaks are far above most of them: always in float32. The others are
        // a third of the encoder's work. In int8 they cost no words that a measurement of speech or noisy speech shows.
        convolution1 = try loader.convolution(
            "encoder.conv1", outputs: width, inputs: 1, kernel: Self.kernels[0], precision: .float32, hasBias: false)
        norm = GroupNorm(
            gamma: try loader.values("encoder.groupnorm.weight", shape: [width]),
            beta: try loader.values("encoder.groupnorm.bias", shape: [width]), epsilon: 1e-5)
        convolution2 = try loader.convolution(
            "encoder.conv2", outputs: 2 * width, inputs: width, kernel: Self.kernels[1], precision: loader.precision)
        convolution3 = try loader.convolution(
            "encoder.conv3", outputs: width, inputs: 2 * width, kernel: Self.kernels[2], precision: loader.precision)
    }

    /// Computes the encoder's input, [positions, width].
    ///
    /// - Parameter scratch: Room for ``scratchCount(positions:width:)`` floats.
    func apply(
        _ samples: UnsafePointer<Float>, _ lengths: Lengths, scratch: UnsafeMutablePointer<Float>, into x: Rows,
        in context: ComputeContext
    ) {
        let first = Rows(scratch, stride: width)
        let second = Rows(scratch + lengths.first * width, stride: 2 * width)
        let wave = Rows(UnsafeMutablePointer(mutating: samples), stride: Self.strides[0])
        convolution1.apply(wave, rows: lengths.first, into: first, activation: .tanh, in: context)
        norm.apply(first, rows: lengths.first, in: context)
        convolution2.apply(
            Rows(first.pointer, stride: Self.strides[1] * width), rows: lengths.second, into: second, activation: .gelu,
            in: context)
        convolution3.apply(
            Rows(second.pointer, stride: Self.strides[2] * 2 * width), rows: lengths.positions, into: x,
            activation: .gelu, in: context)
    }

    func reserve(_ context: ComputeContext, _ lengths: Lengths) throws {
        try context.reserve(convolution1, rows: lengths.first)
        try context.reserve(convolution2, rows: lengths.second)
        try context.reserve(convolution3, rows: lengths.positions)
    }
}

extension AudioFrontEnd {
    private static let kernels = [127, 7, 3], strides = [64, 3, 2]

    /// The samples between two encoder positions.
    static let samplesPerPosition = strides.reduce(1, *)

    /// The numbers of rows after each convolution.
    struct Lengths: Sendable, Hashable {
        var first: Int
        var second: Int
        var positions: Int

        /// The rows of that many samples; 0 positions below ``fewestSamples``.
        init(samples: Int) {
            func rows(_ count: Int, _ convolution: Int) -> Int {
                max((count - kernels[convolution]) / strides[convolution] + 1, 0)
            }
            first = samples < kernels[0] ? 0 : rows(samples, 0)
            second = first < kernels[1] ? 0 : rows(first, 1)
            positions = second < kernels[2] ? 0 : rows(second, 2)
        }

        /// The maximum numbers of rows for that many encoder positions.
        init(positions: Int) {
            self.positions = positions
            second = strides[2] * (positions - 1) + kernels[2] + strides[2] - 1
            first = strides[1] * (second - 1) + kernels[1] + strides[1] - 1
        }
    }

    /// The number of samples that give one position.
    static let fewestSamples: Int = zip(kernels, strides).reversed().reduce(1) { ($0 - 1) * $1.1 + $1.0 }

    /// The size of ``apply(_:_:scratch:into:in:)``'s scratch memory.
    static func scratchCount(_ lengths: Lengths, width: Int) -> Int {
        lengths.first * width + lengths.second * 2 * width
    }
}
