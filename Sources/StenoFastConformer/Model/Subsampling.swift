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
        /// Bands of the input and of the output.
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
                name + "0.weight", shape: [channels, 1, 3, 3], inputs: 9, precision: .float32
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
                "encoder.subsampling.linear.weight", shape: [width, inputs], inputs: inputs
            ) { row, to in
                for channel in 0..<channels {
                    for band in 0..<last { to[band * channels + channel] = row[channel * last + band] }
                }
            },
            bias: try loader.required("encoder.subsampling.linear.bias", shape: [width]))
    }

    /// Reserves the workspace of the largest product.
    func reserve(_ context: ComputeContext) throws {
        let rows = SubsamplingState.blockRows
        try context.reserve(first, rows: (rows / 2 + 2) * (stages.first?.bands.input ?? 0))
        for (index, stage) in stages.enumerated() {
            try context.reserve(stage.pointwise, rows: ((rows >> (index + 2)) + 2) * stage.bands.output)
        }
        try context.reserve(output, rows: rows / 8 + 2)
    }
}
