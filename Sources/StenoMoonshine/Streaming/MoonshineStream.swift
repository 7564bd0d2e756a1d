import StenoCompute
import StenoCore

/// Audio that is encoded while it arrives, and whose text so far can be decoded at any time.
///
/// Every sample is encoded once. It is used by one task at a time.
package final class MoonshineStream {
    /// Called before each layer of the encoder and before each token; returning true ends the work with code `cancelled`,
    /// after which the stream must be reset.
    package var isCancelled: () -> Bool {
        get { writer.isCancelled }
        set { writer.isCancelled = newValue }
    }
    package var crossAttention: CrossAttentionWeights? { writer.crossAttention }
    /// The number of encoder positions so far, 20 ms each.
    ///
    /// The last positions of the audio are not among them until the audio after them has arrived.
    package var positions: Int { audio.positions }
    package var room: Int { model.streaming.audioContext - positions }

    private let model: StreamingMoonshineModel
    private let context: ComputeContext
    private let encoder: StreamingEncoderState
    private let audio: GrowingAudio
    private let writer: TextWriter

    init(_ model: StreamingMoonshineModel) throws {
        self.model = model
        context = ComputeContext(pool: model.pool)
        writer = TextWriter(model.decoder, precision: model.precision, context: context)
        encoder = try StreamingEncoderState(model.encoder, precision: model.precision, context: context)
        audio = try GrowingAudio(model, rows: StreamingEncoderState.rows(of: model.encoder), context: context)
    }

    package func reset() {
        encoder.reset()
        audio.reset()
        writer.reset()
    }

    /// Encodes more samples, 16 kHz mono, any number of them.
    ///
    /// - Parameter isLast: Whether the audio ends here, so that no position waits for others. The stream must then be reset
    ///   before it is fed again.
    /// - Throws: `invalidOption` if the model's context is full; `outOfMemory`; `cancelled`.
    package func feed(_ samples: UnsafeBufferPointer<Float>, isLast: Bool = false) throws {
        var rest = samples
        repeat {
            let part = UnsafeBufferPointer(rebasing: rest.prefix(StreamingEncoderState.samplesPerPart))
            rest = UnsafeBufferPointer(rebasing: rest.dropFirst(part.count))
            try encode(part, isLast: isLast && rest.isEmpty)
        } while !rest.isEmpty
    }

    private func encode(_ samples: UnsafeBufferPointer<Float>, isLast: Bool) throws {
        try writer.checkCancellation()
        var none: Float = 0
        let rows = try withUnsafePointer(to: &none) { none in
            try model.encoder.forward(
                samples.baseAddress ?? none, count: samples.count, isLast: isLast, state: encoder, in: context,
                checkCancellation: writer.checkCancellation)
        }
        try ensure(
            rows <= room, or: .invalidOption,
            "The model hears at most \(model.streaming.audioContext / 50) s of audio as one text. Begin another "
                + "text before that.")
        try audio.append(Rows(encoder.output, stride: model.configuration.width), count: rows)
    }

    /// Writes the text of the audio so far, as ``MoonshineState/decode(prefix:draft:limit:recordsAttention:)`` does.
    ///
    /// - Parameter draft: A guess of what follows the prefix, such as the last text.
    /// - Returns: The text; empty if there is no position yet.
    package func decode(
        prefix: [Int] = [], draft: [Int] = [], limit: Int, recordsAttention: Bool = false
    ) throws -> MoonshineDecoding {
        writer.reset()
        guard positions > 0 else { return MoonshineDecoding() }
        return try writer.write(
            positions: positions, prefix: prefix, draft: draft, limit: limit, recordsAttention: recordsAttention,
            audio: audio.memory)
    }
}
