import StenoCompute
import StenoCore

/// A transducer's networks: the prediction network reads the tokens so far, and the joint network chooses the next one
/// from its output and an encoder frame.
///
/// After Graves 2012; with durations, Xu et al. 2023.
/// ```
/// encoder frame → [prompt] → projection e          last token → embedding → LSTM layers → projection g
/// logits = W · ReLU(e + g) + b: the tokens, blank, and the durations of TDT
/// ```
struct TransducerHead: Sendable {
    let transducer: FastConformerConfiguration.Transducer
    /// The id of blank, which is also the token before the first.
    let blank: Int
    let encoderProjection: Linear
    let prompt: PromptNetwork?
    /// [tokens and blank, predictor width].
    let embedding: FloatBuffer
    let layers: [LSTM]
    let predictorProjection: Linear
    let output: Linear

    /// - Throws: ``StenoError``: `modelDamaged` if a tensor is missing.
    init(
        _ loader: WeightLoader, _ configuration: FastConformerConfiguration,
        _ transducer: FastConformerConfiguration.Transducer
    ) throws {
        let width = transducer.predictorWidth, joint = transducer.jointWidth
        self.transducer = transducer
        blank = configuration.blank
        encoderProjection = try loader.affine("encoder_projector", shape: [joint, configuration.width])
        prompt = try configuration.prompts.map { try PromptNetwork(loader, configuration, $0) }
        embedding = try loader.required("decoder.embedding.weight", shape: [blank + 1, width])
        layers = try (0..<transducer.predictorLayers).map { layer in
            let names = (input: "decoder.lstm.weight_ih_l\(layer)", recurrence: "decoder.lstm.weight_hh_l\(layer)")
            let biases = try zip(
                loader.valuesOrZeros("decoder.lstm.bias_ih_l\(layer)", shape: [4 * width]).array,
                loader.valuesOrZeros("decoder.lstm.bias_hh_l\(layer)", shape: [4 * width]).array
            ).map { $0 + $1 }
            return LSTM(
                input: Linear(
                    matrix: try loader.matrix([names.input], shape: [4 * width, width], inputs: width),
                    bias: try FloatBuffer(biases)),
                recurrence: Linear(
                    matrix: try loader.matrix([names.recurrence], shape: [4 * width, width], inputs: width)))
        }
        predictorProjection = try loader.affine("decoder.decoder_projector", shape: [joint, width])
        output = try loader.affine("joint.head", shape: [blank + 1 + transducer.durations.count, joint])
    }
}
