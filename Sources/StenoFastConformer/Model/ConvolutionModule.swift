import StenoCompute
import StenoCore

/// The convolution of a layer: x += P₂ SiLU(norm(depthwise(gate(P₁ norm(x))))).
struct ConvolutionModule: Sendable {
    private let norm: LayerNorm
    private let pointwise1: Linear
    private let depthwise: DepthwiseConvolution
    /// Nil for batch normalisation, which is part of the depthwise weights.
    private let innerNorm: LayerNorm?
    private let pointwise2: Linear
    /// Rows before a row that the depthwise convolution reads.
    private let left: Int

    /// - Parameter layer: The prefix of the layer's names.
    init(_ loader: WeightLoader, _ layer: String, _ configuration: FastConformerConfiguration) throws {
        let name = layer + "conv.", width = configuration.width
        norm = try loader.norm(layer + "norm_conv", width: width)
        pointwise1 = try loader.affine(name + "pointwise_conv1", shape: [2 * width, width, 1])
        pointwise2 = try loader.affine(name + "pointwise_conv2", shape: [width, width, 1])
        let shape = [width, 1, configuration.kernelSize]
        let bias = try loader.valuesOrZeros(name + "depthwise_conv.bias", shape: [width])
        switch configuration.convolutionNorm {
        case .layer:
            depthwise = DepthwiseConvolution(
                weights: try loader.taps(name + "depthwise_conv.weight", shape: shape), bias: bias)
            innerNorm = try loader.norm(name + "norm", width: width)
        case .batch:
            let batch = try BatchNorm(loader, name + "norm", width: width)
            depthwise = DepthwiseConvolution(
                weights: try loader.taps(name + "depthwise_conv.weight", shape: shape, scale: batch.scales),
                bias: try batch.folded(bias))
            innerNorm = nil
        }
        left = configuration.convolutionLeft
    }

    /// - Parameter convolved: The gated rows before this pass, [taps − 1, width], which are replaced by those before the
    ///   next pass; nil if the pass is a whole utterance.
    func apply(rows: Int, scratch: EncoderScratch, convolved: ScratchBuffer?) {
        let width = pointwise2.matrix.outputs, context = scratch.context, taps = depthwise.taps
        let gated = Rows(scratch.gated.pointer, stride: width)
        if let convolved {
            gated.pointer.update(from: convolved.pointer, count: left * width)
        } else {
            gated.pointer.update(repeating: 0, count: left * width)
        }
        let pairs = Rows(scratch.wide.pointer, stride: 2 * width)
        for block in EncoderScratch.blocks(of: rows) {
            norm.apply(scratch.x.from(block.lowerBound), rows: block.count, into: scratch.y, in: context)
            pointwise1.apply(scratch.y, rows: block.count, into: pairs, in: context)
            Activations.gate(
                pairs, rows: block.count, width: width, into: gated.from(left + block.lowerBound), in: context)
        }
        // After the utterance there are zeros.
        gated.from(left + rows).pointer.update(repeating: 0, count: (taps - 1 - left) * width)
        convolved?.pointer.update(from: gated.from(rows).pointer, count: left * width)

        let y = scratch.y
        depthwise.apply(gated, rows: rows, into: y, activation: innerNorm == nil ? .silu : .identity, in: context)
        if let innerNorm {
            innerNorm.apply(y, rows: rows, into: y, in: context)
            Activations.silu(y, rows: rows, width: width, in: context)
        }
        pointwise2.apply(y, rows: rows, into: scratch.x, adding: scratch.x, in: context)
    }

    func reserve(_ context: ComputeContext, rows: Int) throws { try context.reserve(pointwise1, rows: rows) }
}

/// Batch normalisation with the statistics of the training: y = (x − mean) · scale + beta, folded into what precedes it.
private struct BatchNorm {
    /// γ / √(variance + ε) of each channel.
    let scales: [Float]
    private let mean: [Float]
    private let beta: [Float]

    init(_ loader: WeightLoader, _ name: String, width: Int) throws {
        let gamma = try loader.required(name + ".weight", shape: [width]).array
        let variance = try loader.required(name + ".running_var", shape: [width]).array
        try ensure(
            variance.allSatisfy({ $0 >= 0 }), or: .modelDamaged,
            "The model's tensor \(name).running_var has negative values. Download the model again.")
        mean = try loader.required(name + ".running_mean", shape: [width]).array
        beta = try loader.required(name + ".bias", shape: [width]).array
        let epsilon = loader.model.normEpsilon
        scales = zip(gamma, variance).map { $0 / ($1 + epsilon).squareRoot() }
    }

    func folded(_ bias: FloatBuffer) throws -> FloatBuffer {
        try FloatBuffer(bias.array.indices.map { (bias.array[$0] - mean[$0]) * scales[$0] + beta[$0] })
    }
}
