import StenoCompute
import StenoCore

/// The prediction network of one stream: the LSTM layers' state, and its projected output for the tokens so far.
final class TransducerState {
    /// Frames whose logits are computed at once while no token comes.
    static let blockFrames = 8

    private let head: TransducerHead
    private let context: ComputeContext
    private let cells: [ScratchBuffer]
    private let hidden: [ScratchBuffer]
    private let gates: ScratchBuffer
    /// The projected output g, [joint width].
    private let predicted: ScratchBuffer
    /// ReLU(e + g) of a block of frames.
    private let joined: ScratchBuffer
    private let logits: ScratchBuffer
    /// Logits of one frame.
    let logitCount: Int

    init(_ head: TransducerHead, context: ComputeContext) throws {
        let width = head.transducer.predictorWidth, joint = head.transducer.jointWidth
        (self.head, self.context) = (head, context)
        cells = try head.layers.map { _ in try ScratchBuffer(zeros: width) }
        hidden = try head.layers.map { _ in try ScratchBuffer(zeros: width) }
        gates = try ScratchBuffer(count: 4 * width)
        predicted = try ScratchBuffer(count: joint)
        joined = try ScratchBuffer(count: Self.blockFrames * joint)
        logitCount = head.output.matrix.outputs
        logits = try ScratchBuffer(count: Self.blockFrames * logitCount)
        for layer in head.layers {
            try context.reserve(layer.input, rows: 1)
            try context.reserve(layer.recurrence, rows: 1)
        }
        try context.reserve(head.predictorProjection, rows: 1)
        try context.reserve(head.output, rows: Self.blockFrames)
        begin()
    }

    func begin() {
        for buffer in cells + hidden { buffer.pointer.update(repeating: 0, count: buffer.count) }
        read(head.blank)
    }

    func read(_ token: Int) {
        let width = head.transducer.predictorWidth
        var input = UnsafeMutablePointer(mutating: head.embedding.pointer + token * width)
        for (index, layer) in head.layers.enumerated() {
            layer.run(
                Rows(input, stride: width), steps: 1, rows: 1, gates: gates.pointer, cell: cells[index].pointer,
                hidden: hidden[index].pointer, outputs: nil, in: context)
            input = hidden[index].pointer
        }
        head.predictorProjection.apply(
            Rows(input, stride: width), rows: 1, into: Rows(predicted.pointer, stride: predicted.count), in: context)
    }

    /// The logits of some projected frames with the tokens so far: [count, logitCount], valid until the next call.
    func logits(_ frames: Rows, count: Int) -> UnsafePointer<Float> {
        let joint = predicted.count
        for row in 0..<count {
            let frame = frames.from(row).pointer, sum = joined.pointer + row * joint
            for channel in 0..<joint { sum[channel] = max(frame[channel] + predicted.pointer[channel], 0) }
        }
        head.output.apply(
            Rows(joined.pointer, stride: joint), rows: count, into: Rows(logits.pointer, stride: logitCount),
            in: context)
        return UnsafePointer(logits.pointer)
    }

    // MARK: Beams

    /// What the prediction network knows after some tokens.
    struct Memory {
        fileprivate var cells: [[Float]]
        fileprivate var hidden: [[Float]]
        fileprivate var predicted: [Float]
    }

    var memory: Memory {
        get {
            func copy(_ buffer: ScratchBuffer) -> [Float] {
                Array(UnsafeBufferPointer(start: buffer.pointer, count: buffer.count))
            }
            return Memory(cells: cells.map(copy), hidden: hidden.map(copy), predicted: copy(predicted))
        }
        set {
            for (buffer, values) in zip(cells + hidden, newValue.cells + newValue.hidden) {
                buffer.pointer.update(from: values, count: values.count)
            }
            predicted.pointer.update(from: newValue.predicted, count: newValue.predicted.count)
        }
    }

    /// The logits of one projected frame after each of some tokens: at most ``blockFrames`` rows, valid until the next call.
    func logits(_ frame: UnsafePointer<Float>, after memories: ArraySlice<Memory>) -> UnsafePointer<Float> {
        let joint = predicted.count
        for (row, memory) in memories.enumerated() {
            let sum = joined.pointer + row * joint
            for channel in 0..<joint { sum[channel] = max(frame[channel] + memory.predicted[channel], 0) }
        }
        head.output.apply(
            Rows(joined.pointer, stride: joint), rows: memories.count, into: Rows(logits.pointer, stride: logitCount),
            in: context)
        return UnsafePointer(logits.pointer)
    }
}

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
