import StenoCompute
import StenoCore

/// Writes texts of encoded audio, with the memory of one transcription.
final class TextWriter {
    /// Called before each token; returning true ends the work with code `cancelled`.
    var isCancelled: () -> Bool = { false }
    private(set) var crossAttention: CrossAttentionWeights?
    let context: ComputeContext

    private let decoder: MoonshineDecoder
    private let precision: Precision
    private var text: TextMemory?

    init(_ decoder: MoonshineDecoder, precision: Precision, context: ComputeContext) {
        (self.decoder, self.precision, self.context) = (decoder, precision, context)
    }

    func checkCancellation() throws { try ensure(!isCancelled(), or: .cancelled, "The transcription was cancelled.") }

    func reset() { crossAttention = nil }

    /// Writes a text as ``MoonshineState/decode(prefix:draft:limit:recordsAttention:)`` does.
    ///
    /// - Parameter audio: Called for the keys and values of that many positions, once the prefix is known to fit.
    func write(
        positions: Int, prefix: [Int], draft: [Int], limit: Int, recordsAttention: Bool, audio: () throws -> CrossMemory
    ) throws -> MoonshineDecoding {
        let forced = try decoder.shape.forced(prefix)
        let audio = try audio()
        crossAttention =
            recordsAttention
            ? CrossAttentionWeights(
                positions: positions, layers: decoder.shape.layers, heads: decoder.shape.heads.count) : nil
        let search = GreedySearch(
            decoder: decoder, text: try memory(), audio: audio, weights: crossAttention, context: context,
            checkCancellation: checkCancellation)
        return try search.run(forced: forced, draft: draft, limit: limit)
    }

    private func memory() throws -> TextMemory {
        if let text { return text }
        let memory = try TextMemory(decoder.shape, precision: precision)
        try decoder.reserve(context)
        text = memory
        return memory
    }
}
