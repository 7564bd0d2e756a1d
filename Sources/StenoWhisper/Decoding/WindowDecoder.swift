import StenoCompute
import StenoCore

/// Encodes windows and decodes them as a batch, retrying each at further temperatures as needed.
///
/// A window is encoded once and its cross-attention KV cache is computed once; every temperature, the alignment and, if
/// it is detected for each window, the language share them. A prompt is decoded once for all temperatures. One pass
/// through the decoder serves all windows of the batch, so the weights are read once for all of them.
final class WindowDecoder {
    let lanes: [WindowLane]
    private let shared: SharedDecoder
    /// The lanes that take part in a pass, each with the index of its first row of logits.
    private var active: [(lane: WindowLane, row: Int)] = []

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
        _ model: WhisperModel, hypotheses: Int, lanes: Int, isGrowing: Bool = false, isCancelled: @escaping () -> Bool
    ) throws {
        (self.model, self.isCancelled) = (model, isCancelled)
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

    func beginBatch() { state.batch.begin(slotLists: UnsafePointer(table.slotList(0)), stride: table.stride) }

    func forward(observer: AlignmentMatrix? = nil) {
        model.decoder.forward(state.batch, state: state, observer: observer)
    }

    func checkCancellation() throws { try ensure(!isCancelled(), or: .cancelled, "The transcription was cancelled.") }
}

/// The number of encoder positions (20 ms each) computed for a window; a full window has 1500.
///
/// Fewer positions take less time, but Whisper was trained on full windows only: below about ten seconds its text
/// degenerates. ``positions(_:)`` therefore throws below the model's minimum, and ``automatic`` never goes below it.
package enum AudioContext: Sendable, Hashable, Codable {
    /// The whole window of 30 s, silence included, as the model was trained.
    case full
    /// The audio in the window and one more second, but never less than the model's minimum.
    case automatic
    /// This many positions, from the model's minimum to 1500.
    case positions(Int)
}

extension AudioContext {
    /// The fewest positions with which a full-size Whisper model still writes correct text: ten seconds, measured on
    /// Whisper base.
    static let floor = 500

    func windowFrames(for model: WhisperModel) throws -> Int {
        guard case .positions(let positions) = self else { return model.shape.windowFrames }
        let floor = min(Self.floor, model.shape.audioContext)
        try ensure(
            (floor...model.shape.audioContext).contains(positions), or: .invalidOption,
            "The audio context must be from \(floor) to \(model.shape.audioContext) positions of 20 ms: with fewer, the text degenerates."
        )
        return 2 * positions
    }

    /// The number of positions to encode for a window with this many frames of audio.
    ///
    /// - Parameter floor: The fewest that ``automatic`` encodes.
    func positions(frames: Int, for model: WhisperModel, floor: Int = floor) -> Int {
        let most = model.shape.audioContext
        switch self {
        case .full: return most
        case .positions(let positions): return positions
        case .automatic:
            // One second of silence after the audio, since the model expects an utterance to end in silence.
            return min(most, max(floor, (frames + 1) / 2 + 50))
        }
    }
}
