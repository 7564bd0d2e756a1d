import StenoCompute
import StenoCore

/// The three strided convolutions before the layers: eight mel rows in, one encoder frame out.
///
/// ```
/// mel rows [time, bands] → convolution 3 × 3 from one channel → ReLU
/// → twice: depthwise convolution 3 × 3 → product over channels → ReLU          all with stride 2 on both axes
/// → product over bands and channels
/// ```
/// Images are stored as [time, bands, channels], so that the products over channels are plain products of rows.
struct Subsampling: Sendable {
    struct Stage: Sendable {
        let depthwise: DepthwiseImageConvolution
        let pointwise: Linear
        let bands: (input: Int, output: Int)
    }

    /// [channels, 9]: always in float32, since rounding errors here affect everything that follows.
    let first: Linear
    let stages: [Stage]
    let output: Linear
    let melCount: Int
    let channels: Int
    /// Zero rows, and bands, before the input of each convolution.
    let padding: Int

    init(_ loader: WeightLoader, _ configuration: FastConformerConfiguration) throws {
        let channels = configuration.subsamplingChannels, bands = configuration.subsampledBands
        let width = configuration.width
        let name = "encoder.subsampling.layers."
        melCount = configuration.melCount
        self.channels = channels
        padding = configuration.subsamplingPadding
        first = Linear(
            matrix: try loader.matrix(
                [name + "0.weight"], shape: [channels, 1, 3, 3], inputs: 9, precision: .float32
            ) { $1.update(from: $0, count: 9) },
            bias: try loader.required(name + "0.bias", shape: [channels]))
        stages = try (0..<2).map { stage in
            let depthwise = name + "\(2 + 3 * stage)", pointwise = name + "\(3 + 3 * stage)"
            return Stage(
                depthwise: DepthwiseImageConvolution(
                    weights: try loader.taps(depthwise + ".weight", shape: [channels, 1, 3, 3]),
                    bias: try loader.required(depthwise + ".bias", shape: [channels]),
                    padding: configuration.subsamplingPadding),
                pointwise: try loader.affine(pointwise, shape: [channels, channels, 1, 1]),
                bands: (bands[stage], bands[stage + 1]))
        }
        // The stored columns are ordered by channel, then by band.
        let last = bands[2], inputs = channels * last
        output = Linear(
            matrix: try loader.matrix(
                ["encoder.subsampling.linear.weight"], shape: [width, inputs], inputs: inputs
            ) { row, to in
                for channel in 0..<channels {
                    for band in 0..<last { to[band * channels + channel] = row[channel * last + band] }
                }
            },
            bias: try loader.required("encoder.subsampling.linear.bias", shape: [width]))
    }

    func reserve(_ context: ComputeContext) throws {
        let rows = SubsamplingState.blockRows
        try context.reserve(first, rows: (rows / 2 + 2) * (stages.first?.bands.input ?? 0))
        for (index, stage) in stages.enumerated() {
            try context.reserve(stage.pointwise, rows: ((rows >> (index + 2)) + 2) * stage.bands.output)
        }
        try context.reserve(output, rows: rows / 8 + 2)
    }
}

/// The rows that the strided convolutions still need, of an utterance whose mel rows arrive in any pieces.
///
/// Each convolution reads rows 2t to 2t + 2 of its input, which has one or two zero rows in front and one at the end.
/// The frames do not depend on the pieces.
final class SubsamplingState {
    /// Mel rows that are processed at once: few enough that the images stay in a core's cache.
    static let blockRows = 64

    /// The input of a convolution: whole rows that it has not yet consumed.
    private final class Input {
        let buffer: ScratchBuffer
        let rowSize: Int
        private let padding: Int
        private(set) var count = 0

        init(rowSize: Int, capacity: Int, padding: Int) throws {
            (self.rowSize, self.padding) = (rowSize, padding)
            buffer = try ScratchBuffer(count: (capacity + 4) * rowSize)
        }

        var end: UnsafeMutablePointer<Float> { buffer.pointer + count * rowSize }
        var resultRows: Int { max(count - 1, 0) / 2 }

        func begin() {
            buffer.pointer.update(repeating: 0, count: padding * rowSize)
            count = padding
        }

        func appended(_ rows: Int) { count += rows }

        func appendZeros() {
            end.update(repeating: 0, count: rowSize)
            count += 1
        }

        /// Drops what the rows of a result no longer need.
        func consume(resultRows: Int) {
            let used = 2 * resultRows
            buffer.pointer.update(from: buffer.pointer + used * rowSize, count: (count - used) * rowSize)
            count -= used
        }
    }

    private let weights: Subsampling
    private let context: ComputeContext
    private let inputs: [Input]
    /// The 3 × 3 surroundings of each band of the first convolution: [rows, bands, 9].
    private let surroundings: ScratchBuffer
    /// The result of a depthwise convolution.
    private let image: ScratchBuffer
    /// The result of the last convolution: [frames, bands, channels].
    private let frames: ScratchBuffer

    init(_ weights: Subsampling, context: ComputeContext) throws {
        (self.weights, self.context) = (weights, context)
        let rows = Self.blockRows, channels = weights.channels, padding = weights.padding
        let bands = weights.stages.map(\.bands)
        inputs = [
            try Input(rowSize: weights.melCount, capacity: rows, padding: padding),
            try Input(rowSize: bands[0].input * channels, capacity: rows / 2, padding: padding),
            try Input(rowSize: bands[1].input * channels, capacity: rows / 4, padding: padding),
        ]
        surroundings = try ScratchBuffer(count: (rows / 2 + 2) * bands[0].input * 9)
        image = try ScratchBuffer(
            count: max((rows / 4 + 2) * bands[0].output, (rows / 8 + 2) * bands[1].output) * channels)
        frames = try ScratchBuffer(count: (rows / 8 + 2) * bands[1].output * channels)
        try weights.reserve(context)
    }

    func begin() { for input in inputs { input.begin() } }

    /// The most frames that so many more mel rows can complete.
    static func frames(from rows: Int) -> Int { rows / FastConformerConfiguration.subsampling + 2 }

    /// Passes on the next mel rows, [rows, bands], and writes the encoder frames that they complete; returns their number.
    ///
    /// - Parameters:
    ///   - isLast: Whether the utterance ends with these rows.
    ///   - output: Room for ``frames(from:)`` frames.
    func append(_ mel: UnsafeBufferPointer<Float>, isLast: Bool, into output: Rows) -> Int {
        let bands = weights.melCount, rows = mel.count / bands
        var done = 0, frames = 0
        repeat {
            let count = min(Self.blockRows, rows - done)
            if let base = mel.baseAddress, count > 0 {
                inputs[0].end.update(from: base + done * bands, count: count * bands)
                inputs[0].appended(count)
            }
            done += count
            frames += advance(isLast: isLast && done == rows, into: output.from(frames))
        } while done < rows
        return frames
    }

    private func advance(isLast: Bool, into output: Rows) -> Int {
        if isLast { inputs[0].appendZeros() }
        convolveFirst()
        for (index, stage) in weights.stages.enumerated() {
            let input = inputs[index + 1]
            if isLast { input.appendZeros() }
            let rows = input.resultRows
            guard index > 0 else {
                convolve(stage, input, rows: rows, into: inputs[2].end)
                inputs[2].appended(rows)
                continue
            }
            convolve(stage, input, rows: rows, into: frames.pointer)
            weights.output.apply(
                Rows(frames.pointer, stride: stage.bands.output * weights.channels), rows: rows, into: output,
                in: context)
            return rows
        }
        return 0
    }

    /// The convolution from one channel, as a product over the 3 × 3 surroundings of each result.
    private func convolveFirst() {
        let input = inputs[0], rows = input.resultRows
        guard rows > 0, let stage = weights.stages.first else { return }
        var to = surroundings.pointer
        for row in 0..<rows {
            for band in 0..<stage.bands.input {
                let start = 2 * band - weights.padding
                for time in 0..<3 {
                    let from = input.buffer.pointer + (2 * row + time) * weights.melCount
                    for offset in 0..<3 {
                        let source = start + offset
                        to[3 * time + offset] = source >= 0 && source < weights.melCount ? from[source] : 0
                    }
                }
                to += 9
            }
        }
        weights.first.apply(
            Rows(surroundings.pointer, stride: 9), rows: rows * stage.bands.input,
            into: Rows(inputs[1].end, stride: weights.channels), activation: .relu, in: context)
        inputs[1].appended(rows)
        input.consume(resultRows: rows)
    }

    private func convolve(
        _ stage: Subsampling.Stage, _ input: Input, rows: Int, into output: UnsafeMutablePointer<Float>
    ) {
        guard rows > 0 else { return }
        stage.depthwise.apply(
            input.buffer.pointer, rows: rows, bands: stage.bands.input, into: image.pointer, in: context)
        stage.pointwise.apply(
            Rows(image.pointer, stride: weights.channels), rows: rows * stage.bands.output,
            into: Rows(output, stride: weights.channels), activation: .relu, in: context)
        input.consume(resultRows: rows)
    }
}
