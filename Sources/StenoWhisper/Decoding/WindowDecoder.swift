/// Encodes windows and decodes them side by side, each as often as it takes.
///
/// A window is encoded once and its cross-attention keys and values are computed once; language detection, every
/// temperature and the alignment share them. A prompt is run once for all temperatures. One pass through the decoder
/// serves all windows that are being decoded, so its weights are read once for them.
final class WindowDecoder {
    /// How the next text is chosen.
    typealias Method = SearchMethod

    let model: WhisperModel
    let encoder: EncoderState
    /// The windows' places; where no lane is named below, the first is meant.
    let lanes: [WindowLane]
    private let state: DecoderState
    private let table: HypothesisTable
    private let isCancelled: () -> Bool
    /// The lanes that take part in a pass, each with the number of its first row of logits.
    private var active: [(lane: WindowLane, row: Int)] = []

    /// Makes room for as many windows as there are lanes, each with the searches the options allow.
    init(_ model: WhisperModel, hypotheses: Int, lanes: Int = 1, isCancelled: @escaping () -> Bool) throws {
        let table = HypothesisTable(rows: lanes * hypotheses, context: model.shape.textContext)
        self.model = model
        self.isCancelled = isCancelled
        self.table = table
        encoder = try EncoderState(shape: model.shape, encoder: model.encoder, precision: model.precision)
        state = DecoderState(
            shape: model.shape, decoder: model.decoder, precision: model.precision, hypotheses: hypotheses, lanes: lanes
        )
        active.reserveCapacity(lanes)
        self.lanes = try (0..<lanes).map { try WindowLane(model, table: table, number: $0, hypotheses: hypotheses) }
    }

    /// Encodes the frames that stand in `encoder.frames`.
    func encode(positions: Int, lane: Int = 0) throws {
        try checkCancellation()
        model.encoder.forward(positions: positions, state: encoder, pool: model.pool)
        try checkCancellation()
        look(positions: positions, lane: lane)
    }

    /// Computes the decoder's keys and values of what was encoded last.
    func look(positions: Int, lane: Int = 0) {
        lanes[lane].forgetPrompt()
        model.decoder.look(
            at: encoder, positions: positions, window: lanes[lane].memory, state: state, pool: model.pool)
    }

    /// The probability of each of the model's languages, in the order of the special tokens.
    func languageProbabilities(lane: Int = 0) -> [Double] {
        let special = model.tokenizer.specialTokens
        forward([special.startOfTranscript], lanes[lane])
        model.decoder.logits(first: 0, count: 1, state: state, pool: model.pool)
        let logits = special.languages.map { state.logits(row: 0)[$0.id] }
        return logits.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return [] }
            let total = Reductions.logSumExp(base, count: buffer.count)
            return buffer.map { Double(exp($0 - total)) }
        }
    }

    /// The probability that nobody speaks in the first lane's window, by the last prompt's logits.
    var noSpeechProbability: Double { lanes[0].noSpeechProbability }

    /// Begins to search for a text in the lane's window; ``step()`` goes on.
    func start(_ request: SearchRequest, lane: Int) {
        lanes[lane].start(request, scratch: state.logits(row: 0))
    }

    /// Decodes one more token of every text that is searched for, or the prompt before it, in one pass.
    func step() throws {
        try checkCancellation()
        state.batch.begin(slotLists: UnsafePointer(table.slotList(0)), stride: table.stride)
        active.removeAll(keepingCapacity: true)
        var room = model.shape.textContext
        for lane in lanes where lane.isSearching {
            // A prompt for which there is no room beside the others waits for the next pass.
            guard lane.promptRows <= room else { continue }
            room -= lane.promptRows
            active.append((lane, state.batch.wantedCount))
            lane.appendRows(to: state.batch)
        }
        guard !active.isEmpty else { return }
        model.decoder.forward(state.batch, state: state, pool: model.pool)
        model.decoder.logits(state.batch.wanted, state: state, pool: model.pool)
        // Each lane has rows, slots and random numbers of its own, so their choices can be made at once.
        model.pool.run(active.count) { index in
            active[index].lane.take(state.logits(row: active[index].row), stride: state.logitStride)
        }
    }

    /// The text found in a lane's window; nil while it is searched for.
    func found(lane: Int) throws -> Hypothesis? {
        guard !lanes[lane].isSearching else { return nil }
        guard let best = lanes[lane].found, !best.logProbability.isNaN else {
            throw WhisperError(.modelDamaged, "The model's logits are not numbers. Fetch the model again.")
        }
        return best
    }

    /// Decodes the encoded window after a prompt and returns the best hypothesis.
    ///
    /// - Parameter maxTokens: The most tokens of the window's text, forced ones included.
    func decode(
        _ prompt: WindowPrompt, rules: LogitRules, method: Method, maxTokens: Int, lengthPenalty: Double
    ) throws -> Hypothesis {
        start(
            SearchRequest(
                prompt: prompt, rules: rules, method: method, maxTokens: maxTokens, lengthPenalty: lengthPenalty),
            lane: 0)
        while true {
            if let found = try found(lane: 0) { return found }
            try step()
        }
    }

    /// Runs a whole text through the decoder for its alignment, and returns how probable `count` of its tokens were,
    /// each given those before it: the tokens after index `first`.
    func read(
        _ tokens: [Int], probabilitiesFrom first: Int, count: Int, matrix: AlignmentMatrix, lane: Int
    ) throws -> [Double] {
        try checkCancellation()
        forward(tokens, lanes[lane], alignment: matrix)
        let textCount = model.tokenizer.specialTokens.endOfText
        var probabilities: [Double] = []
        probabilities.reserveCapacity(count)
        for start in stride(from: 0, to: count, by: state.logitRows) {
            let rows = min(state.logitRows, count - start)
            model.decoder.logits(first: first + start, count: rows, state: state, pool: model.pool)
            for row in 0..<rows {
                let logits = state.logits(row: row)
                let total = Reductions.logSumExp(logits, count: textCount)
                probabilities.append(Double(exp(logits[tokens[first + 1 + start + row]] - total)))
            }
        }
        return probabilities
    }

    /// Runs tokens from position 0 through the decoder, in the place of the lane's prompt.
    private func forward(_ tokens: [Int], _ lane: WindowLane, alignment: AlignmentMatrix? = nil) {
        lane.forgetPrompt()
        state.batch.begin(slotLists: UnsafePointer(table.slotList(0)), stride: table.stride)
        lane.append(tokens, to: state.batch)
        state.batch.endGroup(lane.memory)
        model.decoder.forward(state.batch, state: state, pool: model.pool, alignment: alignment)
    }

    private func checkCancellation() throws {
        guard !isCancelled() else { throw WhisperError(.cancelled, "The transcription was cancelled.") }
    }
}

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif
