import StenoCompute
import StenoCore

/// FastConformer's encoder: mel rows (10 ms) in, encoder frames (80 ms) out.
///
/// Rekesh et al. 2023, "Fast Conformer with Linearly Scalable Attention for Efficient Speech Recognition".
struct FastConformerEncoder: Sendable {
    let configuration: FastConformerConfiguration
    let subsampling: Subsampling
    var layers: [EncoderLayer]
    let positions: RelativePositions

    init(_ loader: WeightLoader, _ configuration: FastConformerConfiguration) throws {
        self.configuration = configuration
        subsampling = try Subsampling(loader, configuration)
        layers = try (0..<configuration.layers).map { try EncoderLayer(loader, configuration, layer: $0) }
        let width = configuration.width
        let projections = try (0..<configuration.layers).map { layer in
            let name = "encoder.layers.\(layer).self_attn.relative_k_proj.weight"
            return Linear(matrix: try loader.matrix([name], shape: [width, width], inputs: width))
        }
        positions = RelativePositions(projections: projections, width: width)
    }

    /// Multiplies frames by √width, if the model does.
    func scale(_ rows: Rows, count: Int) {
        guard configuration.scalesInput else { return }
        let factor = Float(configuration.width).squareRoot()
        for row in 0..<count {
            let values = rows.from(row).pointer
            for channel in 0..<configuration.width { values[channel] *= factor }
        }
    }
}

/// The memory for encoding whole utterances, in which every frame attends to all others.
final class UtteranceEncoding {
    private let encoder: FastConformerEncoder
    private let context: ComputeContext
    private let subsampling: SubsamplingState
    /// Nil until the first utterance; replaced for longer ones.
    private var scratch: EncoderScratch?
    /// [frames, 2 · width] of one layer.
    private var keyValues: ScratchBuffer?

    init(_ encoder: FastConformerEncoder, context: ComputeContext) throws {
        (self.encoder, self.context) = (encoder, context)
        subsampling = try SubsamplingState(encoder.subsampling, context: context)
    }

    /// Encodes mel rows; the result, [frames, width], is valid until the next call.
    ///
    /// - Parameter checkCancellation: Called before each layer; an error it throws ends the work.
    func encode(_ mel: [Float], checkCancellation: () throws -> Void) throws -> (frames: Rows, count: Int) {
        let configuration = encoder.configuration, width = configuration.width
        let rows = mel.count / configuration.melCount
        let scratch = try scratch(frames: SubsamplingState.frames(from: rows))
        guard let keyValues else { return (scratch.x, 0) }
        subsampling.begin()
        let count = mel.withUnsafeBufferPointer { subsampling.append($0, isLast: true, into: scratch.x) }
        guard count > 0 else { return (scratch.x, 0) }
        encoder.scale(scratch.x, count: count)
        for (index, layer) in encoder.layers.enumerated() {
            try checkCancellation()
            let encodings = try encoder.positions.encodings(
                layer: index, reach: count - 1, in: context, checkCancellation: checkCancellation)
            let span = AttentionSpan(
                keyValues: Rows(keyValues.pointer, stride: 2 * width), queryPosition: 0, ranges: nil,
                encodings: encodings)
            layer.forward(rows: count, scratch: scratch, span: span, convolved: nil)
        }
        return (scratch.x, count)
    }

    /// The memory for so many frames; rounded up, so that a slightly longer utterance needs no other.
    private func scratch(frames: Int) throws -> EncoderScratch {
        if let scratch, scratch.capacity >= frames { return scratch }
        (scratch, keyValues) = (nil, nil)
        let capacity = (frames + 127) / 128 * 128
        let made = try EncoderScratch(
            encoder.configuration, layers: encoder.layers, capacity: capacity, positions: capacity, context: context)
        keyValues = try ScratchBuffer(count: capacity * 2 * encoder.configuration.width)
        scratch = made
        return made
    }
}
