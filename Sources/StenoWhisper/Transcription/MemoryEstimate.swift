internal import Foundation
import StenoCore

/// The memory that a request may use beyond the model's weights, computed from the shape and the options.
///
/// It is an upper bound: pages that no window needs are never allocated. A request that could exceed the machine's
/// memory is refused before it starts instead of being killed by the system an hour later.
struct MemoryEstimate: Sendable, Hashable {
    /// The size of all memory that decoding may write to.
    let bytes: Int

    /// - Parameter lanes: The number of windows decoded at once; nil is the batch size.
    init(_ shape: ModelShape, precision: Precision, options: TranscriptionOptions, lanes: Int? = nil) {
        let lanes = lanes ?? options.batchSize, hypotheses = options.whisper.hypotheses
        let floats = MemoryLayout<Float>.size
        let cacheBytes = precision == .int8 ? 2 : floats
        let crossBytes = precision == .int8 ? 1 : floats
        let slots = lanes * DecoderState.slots(shape: shape, hypotheses: hypotheses)
        let rows = shape.textContext + lanes * hypotheses
        let selfAttention = slots * shape.width * 2 * shape.decoderLayers * cacheBytes
        let crossAttention = lanes * shape.audioContext * shape.width * 2 * shape.decoderLayers * crossBytes
        let logits = (max(lanes * max(hypotheses, 2), 8) + lanes) * shape.vocabularySize * floats
        let decoder = rows * shape.width * 8 * floats
        let encoder = shape.audioContext * shape.width * 14 * floats
        bytes = selfAttention + crossAttention + logits + decoder + encoder
    }

    /// Throws if the request may need more memory than the machine has.
    ///
    /// - Parameter available: The machine's memory in bytes.
    /// - Throws: ``StenoError`` with code `invalidOption`.
    func check(available: UInt64) throws {
        guard bytes >= 0, UInt64(bytes) > available else { return }
        let gigabytes = Double(bytes) / 1e9
        throw StenoError(
            .invalidOption,
            "This request may need \(Int(gigabytes.rounded(.up))) GB of memory, and the machine has \(available / 1_000_000_000) GB. Lower the batch size, the beam size or the number of samples (best of)."
        )
    }
}
