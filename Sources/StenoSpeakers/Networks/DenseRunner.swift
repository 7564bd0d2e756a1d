import Foundation
import StenoCompute
import StenoCore

/// The working memory of dense blocks, and their computation.
final class DenseRunner {
    /// Frames that share a context mask.
    static let segment = 100
    /// Rows whose activations stay in a core's second cache.
    private static let rowsPerProduct = 192

    private let shape: CAMPlusShape
    private let context: ComputeContext
    /// [rows, widest]: the channels so far, of the present block and of the next.
    private let channels: [ScratchBuffer]
    /// Activations of a product's rows.
    private let activated: ScratchBuffer
    /// [1 + rows + 1, bottleneck], with zeros around each run of frames.
    private let hidden: ScratchBuffer
    /// [segments, bottleneck], [segments, context], [segments, growth].
    private let contexts: ScratchBuffer
    private let middle: ScratchBuffer
    private let masks: ScratchBuffer
    private let zeros: ScratchBuffer
    private let widest: Int

    init(_ blocks: [DenseBlock], _ shape: CAMPlusShape, frames: Int, in context: ComputeContext) throws {
        (self.shape, self.context) = (shape, context)
        let rows = frames + (blocks.map(\.dilation).max() ?? 1) - 1
        let segments = (frames + Self.segment - 1) / Self.segment
        widest = shape.blockWidths.map(\.end).max() ?? shape.width
        let widest = widest
        channels = try (0..<2).map { _ in try ScratchBuffer(zeros: rows * widest) }
        activated = try ScratchBuffer(zeros: min(rows, Self.rowsPerProduct) * widest)
        hidden = try ScratchBuffer(zeros: (rows + 2) * shape.bottleneck)
        contexts = try ScratchBuffer(zeros: (segments + 2) * shape.bottleneck)
        middle = try ScratchBuffer(zeros: segments * shape.context)
        masks = try ScratchBuffer(zeros: segments * shape.growth)
        zeros = try ScratchBuffer(zeros: shape.growth)
        for linear in blocks.flatMap(\.products) { try context.reserve(linear, rows: rows) }
    }

    /// Where the first block's input is to be written, [frames, width].
    var input: Rows { Rows(channels[0].pointer, stride: widest) }

    /// Runs the blocks over ``input``, and returns the last one's rows.
    func run(_ blocks: [DenseBlock], frames: Int) -> (rows: Rows, runs: FrameRuns) {
        var x = input, runs = FrameRuns(frames: frames, dilation: 1)
        for (index, block) in blocks.enumerated() {
            precondition(block.dilation == runs.dilation, "frames are in the order of the block")
            for layer in block.layers { run(layer, x, runs) }
            let y = Rows(channels[(index + 1) % 2].pointer, stride: widest)
            let following = blocks.dropFirst(index + 1).first ?? block
            let next = FrameRuns(frames: frames, dilation: following.dilation)
            transit(block, x, runs, into: y, next)
            (x, runs) = (y, next)
        }
        return (x, runs)
    }

    private func run(_ layer: DenseBlock.Layer, _ x: Rows, _ runs: FrameRuns) {
        let width = shape.bottleneck
        let padded = Rows(hidden.pointer, stride: width), own = padded.from(1)
        product(layer.norm, layer.bottleneck, x, rows: runs.rows, activation: .relu, into: own)
        for row in [-1] + runs.separators + [runs.rows] { own.from(row).pointer.update(repeating: 0, count: width) }
        let out = x.dropColumns(layer.norm.width)
        layer.convolution.apply(padded, rows: runs.rows, into: out, in: context)
        applyMask(layer.mask, own, runs, to: out)
    }

    private func applyMask(_ mask: DenseBlock.Mask, _ hidden: Rows, _ runs: FrameRuns, to y: Rows) {
        let segments = stride(from: 0, to: runs.frames, by: Self.segment).map {
            runs.rows(of: $0..<min($0 + Self.segment, runs.frames))
        }
        computeContexts(hidden, segments, frames: runs.frames)
        mask.first.apply(
            Rows(contexts.pointer, stride: shape.bottleneck), rows: segments.count,
            into: Rows(middle.pointer, stride: shape.context), activation: .relu, in: context)
        mask.second.apply(
            Rows(middle.pointer, stride: shape.context), rows: segments.count,
            into: Rows(masks.pointer, stride: shape.growth), in: context)
        for index in 0..<segments.count * shape.growth { masks.pointer[index] = 1 / (1 + exp(-masks.pointer[index])) }
        for (index, segment) in segments.enumerated() {
            for rows in segment {
                let own = y.from(rows.lowerBound)
                Channels.scale(
                    own, rows: rows.count, width: shape.growth, by: masks.pointer + index * shape.growth,
                    plus: zeros.pointer, slope: 1, into: own, in: context)
            }
        }
    }

    /// `contexts` = each segment's mean, plus the mean of all frames.
    private func computeContexts(_ hidden: Rows, _ segments: [[Range<Int>]], frames: Int) {
        let width = shape.bottleneck
        let total = contexts.pointer + segments.count * width, part = total + width
        total.update(repeating: 0, count: width)
        for (index, segment) in segments.enumerated() {
            let mean = contexts.pointer + index * width
            let count = Float(segment.reduce(0) { $0 + $1.count })
            mean.update(repeating: 0, count: width)
            for rows in segment {
                Channels.sum(hidden.from(rows.lowerBound), rows: rows.count, width: width, into: part)
                for channel in 0..<width {
                    mean[channel] += part[channel] / count
                    total[channel] += part[channel] / Float(frames)
                }
            }
        }
        for index in 0..<segments.count * width { contexts.pointer[index] += total[index % width] }
    }

    /// The product at the end of a block, which also puts the frames in the order of the next.
    private func transit(_ block: DenseBlock, _ x: Rows, _ runs: FrameRuns, into y: Rows, _ next: FrameRuns) {
        guard next.dilation != runs.dilation else {
            return product(block.norm, block.transit, x, rows: runs.rows, into: y)
        }
        precondition(runs.dilation == 1, "only frames in their own order can be put in another")
        for row in next.separators { y.from(row).pointer.update(repeating: 0, count: block.transit.matrix.outputs) }
        for run in 0..<next.dilation {
            let rows = next.rows(ofRun: run)
            product(
                block.norm, block.transit, Rows(x.from(run).pointer, stride: next.dilation * x.stride),
                rows: rows.count, into: y.from(rows.lowerBound))
        }
    }

    /// A product of activations: norm, ReLU, and the affine map with its own activation.
    private func product(
        _ norm: ChannelScale, _ linear: Linear, _ x: Rows, rows: Int, activation: Activation = .identity, into y: Rows
    ) {
        let inputs = Rows(activated.pointer, stride: norm.width)
        for start in stride(from: 0, to: rows, by: Self.rowsPerProduct) {
            let count = min(Self.rowsPerProduct, rows - start)
            norm.apply(x.from(start), rows: count, into: inputs, in: context)
            linear.apply(inputs, rows: count, into: y.from(start), activation: activation, in: context)
        }
    }
}
