import StenoCompute
import StenoCore

/// The parts shared by all lanes of a decoder: the model, the states of encoder and decoder, and a thread pool.
///
/// One task uses it at a time. A pass through the decoder serves one lane or several.
final class SharedDecoder {
    let model: WhisperModel
    let encoder: EncoderState
    let state: DecoderState
    let table: HypothesisTable
    private let isCancelled: () -> Bool

    /// Allocates all memory that decoding writes to, for as many windows as there are lanes.
    ///
    /// - Parameter isGrowing: Whether the same audio is decoded repeatedly while it grows.
    init(
        _ model: WhisperModel, hypotheses: Int, lanes: Int, isGrowing: Bool = false,
        isCancelled: @escaping () -> Bool
    ) throws {
        self.model = model
        self.isCancelled = isCancelled
        table = HypothesisTable(rows: lanes * hypotheses, context: model.shape.textContext)
        // Encoder and decoder never run at the same time, so they share one scratch buffer.
        let context = ComputeContext(pool: model.pool)
        encoder = try EncoderState(
            shape: model.shape, encoder: model.encoder, precision: model.precision, context: context,
            cachesConvolutions: isGrowing)
        state = try DecoderState(
            shape: model.shape, decoder: model.decoder, precision: model.precision, hypotheses: hypotheses,
            lanes: lanes, context: context)
    }

    /// Empties the batch for the next pass.
    func beginBatch() {
        state.batch.begin(slotLists: UnsafePointer(table.slotList(0)), stride: table.stride)
    }

    /// Runs the batch through the decoder.
    func forward(observer: (any CrossAttentionObserver)? = nil) {
        model.decoder.forward(state.batch, state: state, observer: observer)
    }

    func checkCancellation() throws {
        guard !isCancelled() else { throw StenoError(.cancelled, "The transcription was cancelled.") }
    }
}
