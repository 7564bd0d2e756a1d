import StenoCompute
import StenoCore

/// The front of CAM++, with its working memory: convolutions over a spectrogram that halve its frequencies three times.
final class CAMPlusFront {
    struct Weights: Sendable {
        /// The products of the frame before, the frame itself, which has the bias, and the one after, over three bands.
        let first: [Linear]
        let blocks: [Block]
        let last: PlaneConvolution
        /// Factors of 1 for ReLU.
        let relu: ChannelScale

        init(_ file: NetworkFile, _ shape: CAMPlusShape, _ precision: Precision) throws {
            let channels = shape.channels
            let weights = try file.values("head.conv1.weight", [channels, 1, 3, 3])
            let norm = try file.batchNorm("head.bn1", width: channels)
            // Only three inputs: in float32, which is as fast.
            first = try (0..<3).map { frame in
                try file.linear(
                    (0..<3 * channels).map { weights[3 * $0 + frame] }, outputs: channels, factors: norm.scale,
                    bias: frame == 1 ? norm.shift : nil)
            }
            blocks = try ["head.layer1.0", "head.layer1.1", "head.layer2.0", "head.layer2.1"].map {
                try Block(file, $0, halves: $0.hasSuffix("0"), channels, precision)
            }
            last = try PlaneConvolution(
                file, ("head.conv2", "head.bn2"), outputs: channels, channels: channels, stride: 2,
                precision: precision)
            relu = try ChannelScale.identity(width: channels)
        }
    }

    /// Two convolutions whose result is added to their input; the first may halve the frequencies.
    struct Block: Sendable {
        let first: PlaneConvolution
        let second: PlaneConvolution
        /// What the input passes on its way around, if it is halved.
        let shortcut: Linear?

        init(_ file: NetworkFile, _ name: String, halves: Bool, _ channels: Int, _ precision: Precision) throws {
            func convolution(_ index: Int, stride: Int) throws -> PlaneConvolution {
                try PlaneConvolution(
                    file, ("\(name).conv\(index)", "\(name).bn\(index)"), outputs: channels, channels: channels,
                    stride: stride, precision: precision)
            }
            first = try convolution(1, stride: halves ? 2 : 1)
            second = try convolution(2, stride: 1)
            guard halves else {
                shortcut = nil
                return
            }
            let norm = try file.batchNorm(name + ".shortcut.1", width: channels)
            shortcut = try file.linear(
                name + ".shortcut.0.weight", [channels, channels, 1, 1], factors: norm.scale, bias: norm.shift,
                precision: precision)
        }
    }

    private let weights: Weights
    private let shape: CAMPlusShape
    private let context: ComputeContext
    private let buffers: [ScratchBuffer]

    init(_ weights: Weights, _ shape: CAMPlusShape, frames: Int, in context: ComputeContext) throws {
        (self.weights, self.shape, self.context) = (weights, shape, context)
        buffers = try [shape.bands, shape.bands / 2, shape.bands / 2].map {
            try ScratchBuffer(zeros: Planes.count(frequencies: $0, frames: frames, channels: shape.channels))
        }
        for linear in weights.first + weights.blocks.compactMap(\.shortcut) {
            try context.reserve(linear, rows: frames)
        }
        for convolution in weights.blocks.flatMap({ [$0.first, $0.second] }) + [weights.last] {
            try convolution.reserve(in: context, frames: frames)
        }
    }

    /// Writes the result, [frames, bands / 8 · channels]: the channels of the lowest frequency come first.
    ///
    /// - Parameter features: [frames + 2, bands + 2], with zeros all around.
    func run(_ features: Rows, frames: Int, into y: Rows) {
        var x = planes(0, shape.bands, frames)
        convolve(features, into: x)
        var own = 0
        for block in weights.blocks {
            let frequencies = block.first.frequencies(of: x)
            let middle = planes((own + 1) % 3, frequencies, frames)
            let out = planes((own + 2) % 3, frequencies, frames)
            run(block, x, middle, into: out)
            (x, own) = (out, (own + 2) % 3)
        }
        let channels = shape.channels
        weights.last.apply(x, into: { y.dropColumns($0 * channels) }, in: context)
        for frequency in 0..<shape.frontBands {
            let rows = y.dropColumns(frequency * channels)
            weights.relu.apply(rows, rows: frames, into: rows, in: context)
        }
    }

    private func planes(_ index: Int, _ frequencies: Int, _ frames: Int) -> Planes {
        let planes = Planes(
            base: buffers[index].pointer, frequencies: frequencies, frames: frames, channels: shape.channels)
        precondition(
            Planes.count(frequencies: frequencies, frames: frames, channels: shape.channels)
                <= buffers[index].count, "the state has memory for the frames")
        planes.clearEdges()
        return planes
    }

    private func convolve(_ features: Rows, into y: Planes) {
        for band in 0..<y.frequencies {
            let x = features.dropColumns(band), out = y.plane(band)
            weights.first[1].apply(x.from(1), rows: y.frames, into: out, in: context)
            for frame in [0, 2] {
                weights.first[frame].apply(x.from(frame), rows: y.frames, into: out, adding: out, in: context)
            }
        }
        activate(y)
    }

    private func run(_ block: Block, _ x: Planes, _ middle: Planes, into y: Planes) {
        block.first.apply(x, into: middle.plane, in: context)
        activate(middle)
        if let shortcut = block.shortcut {
            for frequency in 0..<y.frequencies {
                shortcut.apply(x.plane(2 * frequency), rows: x.frames, into: y.plane(frequency), in: context)
            }
        }
        let around = block.shortcut == nil ? x : y
        block.second.apply(middle, into: y.plane, adding: around.plane, in: context)
        activate(y)
    }

    /// ReLU, which keeps the zeros around the frames.
    private func activate(_ planes: Planes) {
        let (rows, count) = planes.rows
        weights.relu.apply(rows, rows: count, into: rows, in: context)
    }
}
