import StenoCompute
import StenoCore

/// The memory of one transcription: an utterance is encoded, and then decoded any number of times.
///
/// It is used by one task at a time. Memory is allocated for the longest utterance so far, and then reused.
package final class MoonshineState {
    /// Called before each layer of the encoder and before each token; returning true ends the work with code `cancelled`.
    package var isCancelled: () -> Bool {
        get { writer.isCancelled }
        set { writer.isCancelled = newValue }
    }
    /// The cross-attention weights of the last decoding, if they were recorded.
    package var crossAttention: CrossAttentionWeights? { writer.crossAttention }

    private let model: MoonshineModel
    private let context: ComputeContext
    private let writer: TextWriter
    private var encoder: EncoderMemory?
    private var audio: CrossMemory?
    private var positions = 0

    init(_ model: MoonshineModel) {
        self.model = model
        context = ComputeContext(pool: model.pool)
        writer = TextWriter(model.decoder, precision: model.precision, context: context)
    }

    /// Encodes an utterance, 16 kHz mono, and prepares its decoding.
    ///
    /// - Returns: The number of encoder positions, 24 ms each.
    /// - Throws: `invalidOption` if there are fewer than ``MoonshineModel/fewestSamples``; `outOfMemory`; `cancelled`.
    @discardableResult
    package func encode(_ samples: UnsafeBufferPointer<Float>) throws -> Int {
        positions = 0
        let lengths = AudioFrontEnd.Lengths(samples: samples.count)
        guard lengths.positions > 0, let base = samples.baseAddress else {
            throw StenoError(
                .invalidOption,
                "Moonshine needs at least \(MoonshineModel.fewestSamples) samples of audio; these are \(samples.count)."
            )
        }
        let encoder = try encoderMemory(positions: lengths.positions)
        let audio = try crossMemory(positions: lengths.positions)
        try model.encoder.forward(
            base, lengths, memory: encoder, in: context, checkCancellation: writer.checkCancellation)
        try model.decoder.prepare(
            Rows(encoder.output, stride: model.configuration.width), positions: lengths.positions,
            scratch: encoder.wide.pointer, audio: audio, in: context, checkCancellation: writer.checkCancellation)
        positions = lengths.positions
        return positions
    }

    /// Writes the text of the encoded utterance, with the most probable token at every step.
    ///
    /// - Parameters:
    ///   - prefix: Tokens that the text begins with, without the start token; they are not part of the result.
    ///   - draft: A guess of what follows the prefix, checked in one pass. The result is the same without it.
    ///   - limit: The maximum number of tokens after the prefix.
    ///   - recordsAttention: Whether to record the weights for ``crossAttention``.
    /// - Throws: `invalidOption` if the prefix does not fit into the model's context, or has tokens that the model does
    ///   not know; `outOfMemory`; `cancelled`.
    package func decode(
        prefix: [Int] = [], draft: [Int] = [], limit: Int, recordsAttention: Bool = false
    ) throws -> MoonshineDecoding {
        precondition(positions > 0, "an utterance is encoded before it is decoded")
        guard let audio else { return MoonshineDecoding() }
        return try writer.write(
            positions: positions, prefix: prefix, draft: draft, limit: limit, recordsAttention: recordsAttention
        ) { audio }
    }
}

// MARK: Memory

extension MoonshineState {
    /// Six seconds: memory grows by so much at a time.
    private static let capacityStep = 250

    private func capacity(_ positions: Int) -> Int {
        (positions + Self.capacityStep - 1) / Self.capacityStep * Self.capacityStep
    }

    private func encoderMemory(positions: Int) throws -> EncoderMemory {
        if let encoder, encoder.capacity >= positions { return encoder }
        encoder = nil
        let memory = try EncoderMemory(model, capacity: capacity(positions), context: context)
        encoder = memory
        return memory
    }

    private func crossMemory(positions: Int) throws -> CrossMemory {
        if let audio, audio.capacity >= positions { return audio }
        audio = nil
        let memory = try CrossMemory(model.decoder.shape, capacity: capacity(positions), precision: model.precision)
        try model.decoder.reserve(context, positions: memory.capacity)
        audio = memory
        return memory
    }
}
