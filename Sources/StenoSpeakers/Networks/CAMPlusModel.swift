package import Foundation
package import StenoCompute
package import StenoCore

/// The weights of a CAM++ voice encoder, for Chinese and English; immutable, so many states may share them.
///
/// H. Wang et al., "CAM++: a fast and efficient network for speaker verification using context-aware masking" (2023),
/// as 3D-Speaker publishes it. The computation for n frames of ``KaldiFilterBank``, from each band of which its mean has
/// been subtracted:
/// ```
/// → convolutions over three frequencies and three frames, which halve the frequencies three times     [n, 10 · 32]
/// → convolution over five frames, every second result                                                 [n / 2, 128]
/// → three blocks of densely connected layers, 128 to 512, 256 to 1024 and 512 to 1024 channels        [n / 2, 512]
/// → mean and standard deviation over the frames → linear layer                                               [192]
/// ```
/// The batch norms are folded into the products before them, where there are any.
package final class CAMPlusModel: Sendable {
    package static let width = CAMPlusShape.published.values

    let shape: CAMPlusShape
    let front: CAMPlusFront.Weights
    /// [width, 5 frames · frequencies · channels].
    let first: Linear
    let blocks: [DenseBlock]
    let norm: ChannelScale
    let output: Linear
    let pool: WorkerPool

    /// Loads the weights from a safetensors file with 3D-Speaker's names.
    ///
    /// - Parameters:
    ///   - precision: In int8, all products over frames.
    ///   - threads: How many compute; nil is one per core.
    /// - Throws: ``StenoError``: `modelNotFound`, `modelDamaged`, or `modelUnsupported` for any other network.
    package static func load(
        _ file: URL, precision: Precision = .automatic, threads: Int? = nil
    ) throws -> CAMPlusModel {
        try CAMPlusModel(file, shape: .published, precision: precision, threads: threads)
    }

    init(_ url: URL, shape: CAMPlusShape, precision: Precision, threads: Int?) throws {
        let file = try NetworkFile(url, kind: "a CAM++ voice encoder of \(shape.values) values")
        let precision = precision.resolved
        self.shape = shape
        pool = WorkerPool.with(threads: threads)
        front = try CAMPlusFront.Weights(file, shape, precision)
        first = try Self.first(file, shape, precision)
        blocks = try shape.blocks.indices.map { try DenseBlock(file, shape, index: $0, precision) }
        norm = try DenseBlock.norm(file, "xvector.out_nonlinear.batchnorm", width: shape.lastWidth)
        let last = try file.batchNorm("xvector.dense.nonlinear.batchnorm", width: shape.values, hasWeights: false)
        output = try file.linear(
            "xvector.dense.linear.weight", [shape.values, 2 * shape.lastWidth, 1], factors: last.scale,
            bias: last.shift)
    }

    /// The convolution over time: in the file, a frame's values are in order of channels, here of frequencies.
    private static func first(_ file: NetworkFile, _ shape: CAMPlusShape, _ precision: Precision) throws -> Linear {
        let inputs = shape.channels * shape.frontBands
        let norm = try file.batchNorm("xvector.tdnn.nonlinear.batchnorm", width: shape.width)
        let byFrame = try file.convolution("xvector.tdnn.linear.weight", [shape.width, inputs, 5])
        let weights = NetworkFile.swappingLastTwo(byFrame, rows: shape.width * 5, shape.channels, shape.frontBands)
        return try file.linear(
            weights, outputs: shape.width, factors: norm.scale, bias: norm.shift, precision: precision)
    }

    /// Allocates the memory of one computation at a time, for up to `frames` rows of the filter bank: 998 are 10 s.
    ///
    /// - Parameter pool: The threads that share it; nil is those of the model.
    /// - Throws: ``StenoError`` with code `outOfMemory`.
    package func makeState(frames: Int = 998, pool: WorkerPool? = nil) throws -> CAMPlusState {
        try CAMPlusState(self, frames: frames, pool: pool ?? self.pool)
    }
}

/// The sizes of a CAM++ network; tests use smaller ones.
struct CAMPlusShape: Sendable {
    /// Layers that each see the outputs of all layers before them in the block.
    struct Block: Sendable {
        var layers: Int
        /// Frames from one tap of a layer's convolution to the next.
        var dilation: Int
    }

    /// Rows of a filter bank; a multiple of 8, since the front halves them three times.
    var bands = KaldiFilterBank.bands
    /// Channels of the front's convolutions.
    var channels = 32
    /// Channels of the first convolution over time.
    var width = 128
    /// Channels that each layer of a block adds.
    var growth = 32
    var bottleneck = 128
    var blocks = [Block(layers: 12, dilation: 1), Block(layers: 24, dilation: 2), Block(layers: 16, dilation: 2)]
    /// Values of an embedding.
    var values = 192

    /// CAM++ for Chinese and English, 192 values (3D-Speaker, "common advanced").
    static let published = CAMPlusShape()

    /// Channels in the middle of a context mask.
    var context: Int { bottleneck / 2 }

    /// Rows of the filter bank after the front.
    var frontBands: Int { bands / 8 }

    /// The channels with which each block begins, and with which it ends.
    var blockWidths: [(start: Int, end: Int)] {
        var width = width
        return blocks.map { block in
            let start = width, end = start + block.layers * growth
            width = end / 2
            return (start, end)
        }
    }

    /// Channels after the last block.
    var lastWidth: Int { (blockWidths.last?.end ?? 2 * width) / 2 }
}
