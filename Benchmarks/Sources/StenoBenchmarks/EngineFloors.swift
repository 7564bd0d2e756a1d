import CCeilings
import CStenoKernels
@_spi(Benchmarks) import Steno
@_spi(Benchmarks) import StenoEvaluation
@_spi(Benchmarks) import StenoWhisper

/// The minimum time of a model's stages on this machine, from their necessary arithmetic or memory traffic.
struct EngineFloors {
    private let shape: MeasuredModel
    private let isInt8: Bool
    private let ceilings: Ceilings

    init(_ model: MeasuredModel, _ ceilings: Ceilings) {
        shape = model
        isInt8 = model.isInt8
        self.ceilings = ceilings
    }

    /// The minimum time of a figure in milliseconds; nil if it is not known.
    func milliseconds(_ figure: SpeedFigure) -> Double? {
        switch figure {
        case .encode: encoder
        case .crossAttentionCache: operations(Double(shape.decoderLayers) * 4 * positions * squareWidth)
        case .greedyToken, .beamStep: decoderBytes / ceilings.bytes(from: Int(decoderBytes)) / 1e6
        default: nil
        }
    }

    private var positions: Double { Double(shape.audioContext) }
    private var width: Double { Double(shape.width) }
    private var squareWidth: Double { width * width }

    /// Products and attention in the model's precision; convolutions in float32.
    private var encoder: Double {
        let layers = Double(shape.encoderLayers)
        let products = layers * 2 * positions * 12 * squareWidth
        let attention = layers * 4 * positions * positions * width
        let convolutions = 2 * 2 * positions * 3 * Double(shape.melCount) * width + 2 * positions * 3 * squareWidth
        return operations(products + attention) + convolutions / ceilings.operations(CEILING_FLOAT32) / 1e6
    }

    private func operations(_ count: Double) -> Double {
        count / ceilings.operations(isInt8 ? CEILING_INT8 : CEILING_FLOAT32) / 1e6
    }

    /// The weights read for a token, and the cross-attention KV cache.
    private var decoderBytes: Double {
        let layers = Double(shape.decoderLayers)
        let attentions = Attentions(
            width: shape.width, precision: isInt8 ? STENO_INT8 : STENO_FLOAT32, pool: nil)
        let weights = layers * 14 * squareWidth + Double(shape.vocabularySize) * width
        let memory = layers * Double(attentions.memoryBytes)
        return weights * (isInt8 ? 1 : 4) + memory
    }
}
