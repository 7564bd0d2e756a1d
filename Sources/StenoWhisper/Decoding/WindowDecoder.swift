import StenoCompute
import StenoCore

/// Encodes windows and decodes them as a batch, retrying each at further temperatures as needed.
///
/// A window is encoded once and its cross-attention KV cache is computed once; every temperature, the alignment and, if
/// it is detected for each window, the language share them. A prompt is decoded once for all temperatures. One pass
/// through the decoder serves all windows of the batch, so the weights are read once for all of them.
final class WindowDecoder {
    /// The lanes, one for each window of the batch.
    let lanes: [WindowLane]
    private let shared: SharedDecoder
    /// The lanes that take part in a pass, each with the index of its first row of logits.
    private var active: [(lane: WindowLane, row: Int)] = []

    /// Allocates the lanes, each with room for the hypotheses the options allow.
    init(_ model: WhisperModel, hypotheses: Int, lanes: Int, isCancelled: @escaping () -> Bool) throws {
        let shared = try SharedDecoder(model, hypotheses: hypotheses, lanes: lanes, isCancelled: isCancelled)
        self.shared = shared
        self.lanes = try (0..<lanes).map { try WindowLane(shared, number: $0, hypotheses: hypotheses) }
        active.reserveCapacity(lanes)
    }

    /// Decodes one more token of every active text, or the prompt before it, in one pass.
    func step() throws {
        try shared.checkCancellation()
        let model = shared.model, state = shared.state
        shared.beginBatch()
        active.removeAll(keepingCapacity: true)
        var room = model.shape.textContext
        for lane in lanes where lane.isSearching {
            // A prompt that does not fit into this pass waits for the next one.
            guard lane.promptRows <= room else { continue }
            room -= lane.promptRows
            active.append((lane, state.batch.wantedCount))
            lane.appendRows(to: state.batch)
        }
        guard !active.isEmpty else { return }
        shared.forward()
        model.decoder.logits(state.batch.wanted, state: state)
        // Safe to share with the pool's threads: call `index` uses only lane `index` and its rows of logits, and each
        // lane is in the list once and has its own hypotheses, slots and random numbers. The list is only read, and
        // this thread waits until all calls have ended.
        nonisolated(unsafe) let active = active, logits = state.logits.pointer
        let stride = state.logitStride
        model.pool.run(active.count) { index in
            active[index].lane.choose(by: logits + active[index].row * stride, stride: stride)
        }
    }
}
