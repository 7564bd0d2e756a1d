import StenoCompute
import StenoCore

/// A block of densely connected layers: each reads the outputs of all before it and adds a few channels.
///
/// From “Densely connected time delay neural network for speaker verification” (Yu and Li 2020).
struct DenseBlock: Sendable {
    let dilation: Int
    let layers: [Layer]
    /// The norm and the product that halve the channels at the end of the block.
    let norm: ChannelScale
    let transit: Linear

    init(_ file: NetworkFile, _ shape: CAMPlusShape, index: Int, _ precision: Precision) throws {
        let (start, end) = shape.blockWidths[index]
        let block = shape.blocks[index]
        dilation = block.dilation
        layers = try (0..<block.layers).map {
            try Layer(
                file, "xvector.block\(index + 1).tdnnd\($0 + 1).", inputs: start + $0 * shape.growth, shape, precision)
        }
        let name = "xvector.transit\(index + 1)."
        norm = try Self.norm(file, name + "nonlinear.batchnorm", width: end)
        transit = try file.linear(name + "linear.weight", [end / 2, end, 1], precision: precision)
    }

    /// All products, to reserve their workspace.
    var products: [Linear] { layers.flatMap(\.products) + [transit] }

    static func norm(_ file: NetworkFile, _ name: String, width: Int) throws -> ChannelScale {
        let norm = try file.batchNorm(name, width: width)
        return try ChannelScale(scale: norm.scale, shift: norm.shift)
    }

    /// Norm, ReLU, bottleneck, ReLU, then a convolution over three frames whose channels are masked by context.
    struct Layer: Sendable {
        let norm: ChannelScale
        /// The bottleneck with its norm, before ReLU.
        let bottleneck: Linear
        /// [growth, 3 · bottleneck].
        let convolution: Linear
        let mask: Mask

        init(
            _ file: NetworkFile, _ name: String, inputs: Int, _ shape: CAMPlusShape, _ precision: Precision
        ) throws {
            let width = shape.bottleneck
            norm = try DenseBlock.norm(file, name + "nonlinear1.batchnorm", width: inputs)
            let second = try file.batchNorm(name + "nonlinear2.batchnorm", width: width)
            bottleneck = try file.linear(
                name + "linear1.weight", [width, inputs, 1], factors: second.scale, bias: second.shift,
                precision: precision)
            convolution = try file.linear(
                file.convolution(name + "cam_layer.linear_local.weight", [shape.growth, width, 3]),
                outputs: shape.growth, precision: precision)
            mask = try Mask(file, name + "cam_layer.", shape)
        }

        var products: [Linear] { [bottleneck, convolution, mask.first, mask.second] }
    }

    /// From the mean of all frames and the mean of a segment, a factor from 0 to 1 for each channel of the segment.
    struct Mask: Sendable {
        let first: Linear
        let second: Linear

        init(_ file: NetworkFile, _ name: String, _ shape: CAMPlusShape) throws {
            // A few rows for each layer: in float32.
            first = try file.linear(
                name + "linear1.weight", [shape.context, shape.bottleneck, 1],
                bias: file.values(name + "linear1.bias", [shape.context]))
            second = try file.linear(
                name + "linear2.weight", [shape.growth, shape.context, 1],
                bias: file.values(name + "linear2.bias", [shape.growth]))
        }
    }
}

/// The order of frames in which a dilated convolution reads consecutive rows: with a dilation of 2 the even frames,
/// then the odd ones.
///
/// A row of zeros separates the runs, so that a single product over all rows convolves each of them as if it had zeros
/// around it. Everything else in a block treats frames alike and does not depend on their order.
struct FrameRuns {
    let frames: Int
    let dilation: Int

    /// The number of rows, separators included.
    var rows: Int { frames + dilation - 1 }

    /// The rows of frames `run`, `run` + dilation, and so on.
    func rows(ofRun run: Int) -> Range<Int> { rows(ofRun: run, frames: 0..<frames) }

    /// The rows of the frames in a range, for each run.
    func rows(of range: Range<Int>) -> [Range<Int>] {
        (0..<dilation).map { rows(ofRun: $0, frames: range) }.filter { !$0.isEmpty }
    }

    /// The rows between the runs.
    var separators: [Int] { (1..<dilation).map { start(of: $0) - 1 } }

    /// The rows of a run whose frames are in a range.
    private func rows(ofRun run: Int, frames range: Range<Int>) -> Range<Int> {
        let start = start(of: run)
        return start + index(of: range.lowerBound, run)..<start + index(of: range.upperBound, run)
    }

    private func start(of run: Int) -> Int { (0..<run).reduce(0) { $0 + index(of: frames, $1) + 1 } }

    /// The number of a run's frames before `frame`.
    private func index(of frame: Int, _ run: Int) -> Int { max(0, frame - run + dilation - 1) / dilation }
}
