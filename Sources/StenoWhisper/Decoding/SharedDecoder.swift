import StenoCore

/// What all lanes of a decoder use in turn: the model, the encoder's and the decoder's state, one set of worker threads.
///
/// It is used by one task at a time. Its passes through the decoder serve one lane or several.
final class SharedDecoder {
    let model: WhisperModel
    let encoder: EncoderState
    let state: DecoderState
    let table: HypothesisTable
    private let isCancelled: () -> Bool

    /// Allocates everything that decoding writes to, for as many windows as there are lanes.
    init(_ model: WhisperModel, hypotheses: Int, lanes: Int, isCancelled: @escaping () -> Bool) throws {
        self.model = model
        self.isCancelled = isCancelled
        table = HypothesisTable(rows: lanes * hypotheses, context: model.shape.textContext)
        // Encoder and decoder never work at the same time, so one scratch memory serves both.
        let context = ComputeContext(pool: model.pool)
        encoder = try EncoderState(
            shape: model.shape, encoder: model.encoder, precision: model.precision, context: context)
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
