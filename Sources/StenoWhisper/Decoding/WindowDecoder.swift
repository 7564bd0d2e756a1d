/// Encodes one window and decodes it, as often as it takes.
///
/// The window is encoded once and its cross-attention keys and values are computed once; language detection, every
/// temperature and (later) alignment share them. A prompt is run once for all temperatures.
final class WindowDecoder {
    let model: WhisperModel
    let encoder: EncoderState
    let window: WindowMemory
    private let state: DecoderState
    private let table: HypothesisTable
    private let isCancelled: () -> Bool
    /// The logits after the prompt, before any rule: [vocabulary].
    private let promptLogits: ScratchBuffer
    private var prompt: WindowPrompt?
    private var noSpeech: Double = 0

    /// Makes room for the searches the options allow.
    init(_ model: WhisperModel, hypotheses: Int, isCancelled: @escaping () -> Bool) throws {
        self.model = model
        self.isCancelled = isCancelled
        encoder = try EncoderState(shape: model.shape, encoder: model.encoder)
        window = try WindowMemory(shape: model.shape)
        state = DecoderState(shape: model.shape, decoder: model.decoder, hypotheses: hypotheses)
        table = HypothesisTable(rows: hypotheses, context: model.shape.textContext)
        promptLogits = ScratchBuffer(count: model.shape.vocabularySize)
    }

    /// Encodes the frames that stand in `encoder.frames`.
    func encode(positions: Int) throws {
        try checkCancellation()
        prompt = nil
        model.encoder.forward(positions: positions, state: encoder, pool: model.pool)
        try checkCancellation()
        model.decoder.look(at: encoder, positions: positions, window: window, state: state, pool: model.pool)
    }

    /// The probability of each of the model's languages, in the order of the special tokens.
    func languageProbabilities() -> [Double] {
        prompt = nil
        let special = model.tokenizer.specialTokens
        forward([special.startOfTranscript])
        model.decoder.logits(first: 0, count: 1, state: state, pool: model.pool)
        let logits = special.languages.map { state.logits(row: 0)[$0.id] }
        return logits.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return [] }
            let total = Reductions.logSumExp(base, count: buffer.count)
            return buffer.map { Double(exp($0 - total)) }
        }
    }

    /// The probability that nobody speaks in the window, by the last prompt's logits.
    var noSpeechProbability: Double { noSpeech }

    /// How the next text is chosen.
    enum Method {
        case beam(size: Int, patience: Double)
        /// Temperature 0 with one sample is greedy search.
        case samples(Int, temperature: Double, seeds: (UInt64, UInt64))
    }

    /// Decodes the encoded window after a prompt and returns the best hypothesis.
    ///
    /// - Parameter maxTokens: The most tokens of the window's text, forced ones included.
    func decode(
        _ prompt: WindowPrompt, rules: LogitRules, method: Method, maxTokens: Int, lengthPenalty: Double
    ) throws -> Hypothesis {
        try run(prompt)
        let context = SearchContext(
            table: table, firstRow: 0, rules: rules, endOfText: model.tokenizer.specialTokens.endOfText,
            vocabularySize: model.shape.vocabularySize, promptCount: prompt.tokens.count, firstSlot: 0,
            forced: prompt.tokens.suffix(prompt.forcedCount), maxTokens: max(maxTokens, prompt.forcedCount + 1),
            lengthPenalty: lengthPenalty)
        let search = search(method, context)
        while search.rowCount > 0 {
            try checkCancellation()
            let rows = search.rowCount
            state.batch.begin(slotLists: UnsafePointer(table.slotList(0)), stride: table.stride)
            search.appendRows(to: state.batch)
            state.batch.endGroup(window)
            model.decoder.forward(state.batch, state: state, pool: model.pool)
            model.decoder.logits(first: 0, count: rows, state: state, pool: model.pool)
            search.take(state.logits(row: 0), stride: state.logitStride)
        }
        guard let best = search.hypotheses.first, !best.logProbability.isNaN else {
            throw WhisperError(.modelDamaged, "The model's logits are not numbers. Fetch the model again.")
        }
        return best
    }

    private func search(_ method: Method, _ context: SearchContext) -> any TokenSearch {
        let logits = UnsafePointer(promptLogits.pointer), scratch = state.logits(row: 0)
        switch method {
        case .beam(let size, let patience):
            return BeamSearch(context, beams: size, patience: patience, promptLogits: logits, scratch: scratch)
        case .samples(let count, let temperature, let seeds):
            return SampledSearch(
                context, samples: count, temperature: temperature, seeds: seeds, promptLogits: logits,
                scratch: scratch)
        }
    }

    /// Runs the prompt through the decoder, unless it is there already from another temperature.
    private func run(_ new: WindowPrompt) throws {
        guard new != prompt else { return }
        try checkCancellation()
        forward(new.tokens)
        let last = new.tokens.count - 1
        let count = model.shape.vocabularySize
        model.decoder.logits(first: new.startIndex, count: 1, state: state, pool: model.pool)
        let start = state.logits(row: 0)
        let total = Reductions.logSumExp(start, count: count)
        noSpeech = Double(exp(start[model.tokenizer.specialTokens.noSpeech] - total))
        if last != new.startIndex {
            model.decoder.logits(first: last, count: 1, state: state, pool: model.pool)
        }
        promptLogits.pointer.update(from: state.logits(row: 0), count: count)
        prompt = new
    }

    /// Runs a whole text through the decoder for its alignment, and returns how probable `count` of its tokens were,
    /// each given those before it: the tokens after index `first`.
    func read(
        _ tokens: [Int], probabilitiesFrom first: Int, count: Int, matrix: AlignmentMatrix
    ) throws -> [Double] {
        try checkCancellation()
        prompt = nil
        forward(tokens, alignment: matrix)
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

    /// Runs tokens from position 0, each looking at those before it, into the cache's first slots.
    private func forward(_ tokens: [Int], alignment: AlignmentMatrix? = nil) {
        let slots = table.slotList(0)
        for position in tokens.indices { slots[position] = Int32(position) }
        state.batch.begin(slotLists: UnsafePointer(slots), stride: 0)
        for (position, token) in tokens.enumerated() {
            state.batch.append(token: Int32(token), position: position, slot: Int32(position))
        }
        state.batch.endGroup(window)
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
