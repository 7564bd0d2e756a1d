import StenoCompute
import StenoCore

/// The convolutions of a segmentation network, with their working memory: a window's samples to features every 270
/// samples.
final class SincNet {
    struct Weights: Sendable {
        /// The factor and the summand of the normalised samples.
        let gain: Float
        let offset: Float
        let stages: [Stage]

        init(_ file: NetworkFile, _ shape: SegmentationShape) throws {
            gain = try file.values("sincnet.wav_norm1d.weight", [1])[0]
            offset = try file.values("sincnet.wav_norm1d.bias", [1])[0]
            stages = try (0..<3).map { try Stage(file, shape, index: $0) }
        }
    }

    /// A convolution, and the norm after its pooling.
    struct Stage: Sendable {
        let convolution: Linear
        /// Numbers from one row of its input to the next; the rows overlap.
        let step: Int
        /// Whether its magnitudes are pooled.
        let magnitudes: Bool
        let gamma: [Float]
        let beta: [Float]

        init(_ file: NetworkFile, _ shape: SegmentationShape, index: Int) throws {
            let outputs = index == 0 ? shape.filters : shape.channels
            magnitudes = index == 0
            if index == 0 {
                step = SegmentationShape.filterStep
                convolution = try file.linear("sincnet.filters", [outputs, SegmentationShape.filterTaps])
            } else {
                step = index == 1 ? shape.filters : shape.channels
                let name = "sincnet.conv1d.\(index)."
                convolution = try file.linear(
                    file.convolution(name + "weight", [outputs, step, SegmentationShape.taps]), outputs: outputs,
                    bias: file.values(name + "bias", [outputs]))
            }
            gamma = try file.values("sincnet.norm1d.\(index).weight", [outputs])
            beta = try file.values("sincnet.norm1d.\(index).bias", [outputs])
        }

        var outputs: Int { convolution.matrix.outputs }
    }

    /// Pooled rows whose convolution is one product, small enough for a core's second cache.
    private static let rowsPerProduct = 320

    private let weights: Weights
    private let context: ComputeContext
    private let samples: ScratchBuffer
    /// The results of one product before pooling.
    private let block: ScratchBuffer
    /// [frames, outputs] of the first and third convolutions, and of the second.
    private let pooled: [ScratchBuffer]
    private let mean: ScratchBuffer
    private let scale: ScratchBuffer
    private let shift: ScratchBuffer

    init(_ weights: Weights, windowSamples: Int, in context: ComputeContext) throws {
        (self.weights, self.context) = (weights, context)
        let frames = SegmentationShape.frames(in: windowSamples)
        let widest = weights.stages.map(\.outputs).max() ?? 0
        samples = try ScratchBuffer(zeros: windowSamples)
        block = try ScratchBuffer(zeros: SegmentationShape.poolStep * Self.rowsPerProduct * widest)
        pooled = try [frames[0], frames[1]].map { try ScratchBuffer(zeros: $0 * widest) }
        (mean, scale, shift) = (
            try ScratchBuffer(zeros: widest), try ScratchBuffer(zeros: widest), try ScratchBuffer(zeros: widest)
        )
        for stage in weights.stages {
            try context.reserve(stage.convolution, rows: SegmentationShape.poolStep * Self.rowsPerProduct)
        }
    }

    /// Writes the features of a window: one row for each frame.
    func run(_ window: UnsafePointer<Float>, count: Int, into features: Rows) {
        precondition(count <= samples.count, "the window is no longer than the state's")
        normalize(window, count: count)
        var from = samples.pointer
        let frames = SegmentationShape.frames(in: count)
        for (index, stage) in weights.stages.enumerated() {
            let to = pooled[index % 2].pointer
            pool(stage, from, rows: frames[index], into: to)
            let out = index == 2 ? features : Rows(to, stride: stage.outputs)
            normalize(stage, Rows(to, stride: stage.outputs), rows: frames[index], into: out)
            from = to
        }
    }

    /// `samples` = the window with a mean of 0 and a variance of 1, then scaled as in training.
    private func normalize(_ window: UnsafePointer<Float>, count: Int) {
        let out = samples.pointer
        var sum = 0.0
        for index in 0..<count {
            // A single sample that is not finite would make the whole window unusable.
            let sample = window[index].isFinite ? window[index] : 0
            out[index] = sample
            sum += Double(sample)
        }
        let mean = Float(sum / Double(max(count, 1)))
        var squares = 0.0
        for index in 0..<count {
            let distance = out[index] - mean
            squares += Double(distance * distance)
        }
        let variance = Float(squares / Double(max(count, 1)))
        let factor = weights.gain / (variance + NetworkFile.epsilon).squareRoot()
        for index in 0..<count { out[index] = (out[index] - mean) * factor + weights.offset }
    }

    /// Convolves, and keeps the largest of three consecutive results.
    private func pool(
        _ stage: Stage, _ x: UnsafeMutablePointer<Float>, rows: Int, into y: UnsafeMutablePointer<Float>
    ) {
        let step = SegmentationShape.poolStep, width = stage.outputs
        let results = Rows(block.pointer, stride: width)
        for start in stride(from: 0, to: rows, by: Self.rowsPerProduct) {
            let count = min(Self.rowsPerProduct, rows - start)
            stage.convolution.apply(
                Rows(x + start * step * stage.step, stride: stage.step), rows: count * step, into: results, in: context)
            Channels.maxPool(
                results, rows: count, width: width, step: step, magnitudes: stage.magnitudes,
                into: Rows(y + start * width, stride: width), in: context)
        }
    }

    /// The norm over the window's frames, channel by channel, and leaky ReLU.
    private func normalize(_ stage: Stage, _ x: Rows, rows: Int, into y: Rows) {
        let width = stage.outputs, count = Float(max(rows, 1))
        Channels.sum(x, rows: rows, width: width, into: mean.pointer)
        for channel in 0..<width { mean.pointer[channel] /= count }
        Channels.squares(x, rows: rows, width: width, around: mean.pointer, into: scale.pointer)
        for channel in 0..<width {
            let variance = scale.pointer[channel] / count
            scale.pointer[channel] = stage.gamma[channel] / (variance + NetworkFile.epsilon).squareRoot()
            shift.pointer[channel] = stage.beta[channel] - mean.pointer[channel] * scale.pointer[channel]
        }
        Channels.scale(
            x, rows: rows, width: width, by: scale.pointer, plus: shift.pointer, slope: SegmentationModel.slope,
            into: y, in: context)
    }
}
