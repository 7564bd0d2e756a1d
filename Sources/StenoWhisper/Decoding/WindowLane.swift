import StenoCore

/// A window's place in the decoder: its cross-attention KV cache, its prompt, and the search for its text.
///
/// The lanes of a decoder share its passes and nothing else. Each has rows and cache slots of its own, so what becomes
/// of a window does not depend on what is decoded with it.
final class WindowLane {
    /// The cross-attention keys and values of the window that was encoded last.
    let memory: CrossAttentionCache
    /// The prompt whose keys and values are in the self-attention KV cache.
    private(set) var prompt: WindowPrompt?
    /// The probability that nobody speaks in the window, by the prompt's logits.
    private(set) var noSpeechProbability = 0.0

    private let shared: SharedDecoder
    private let firstRow: Int
    private let firstSlot: Int
    /// The logits after the prompt, before any rule: [vocabulary].
    private let promptLogits: ScratchBuffer
    /// What is searched for; its prompt comes first.
    private var request: SearchRequest?
    private var search: (any TokenSearch)?

    var model: WhisperModel { shared.model }
    private var table: HypothesisTable { shared.table }

    /// Takes `hypotheses` rows of the table and its share of the cache.
    init(_ shared: SharedDecoder, number: Int, hypotheses: Int) throws {
        self.shared = shared
        firstRow = number * hypotheses
        firstSlot = number * DecoderState.slots(shape: shared.model.shape, hypotheses: hypotheses)
        memory = try CrossAttentionCache(shape: shared.model.shape, precision: shared.model.precision)
        promptLogits = try ScratchBuffer(count: shared.model.shape.vocabularySize)
    }

    /// A lane that decodes alone, one window after the other.
    convenience init(_ model: WhisperModel, hypotheses: Int, isCancelled: @escaping () -> Bool) throws {
        try self.init(
            SharedDecoder(model, hypotheses: hypotheses, lanes: 1, isCancelled: isCancelled), number: 0,
            hypotheses: hypotheses)
    }

    // MARK: The window

    /// Where the next window's features are written: [frames, mels].
    var frames: UnsafeMutablePointer<Float> { shared.encoder.frames }

    /// Encodes the features that stand in ``frames``, and fills the cross-attention KV cache.
    func encode(positions: Int) throws {
        try shared.checkCancellation()
        try model.encoder.forward(
            positions: positions, state: shared.encoder, checkCancellation: shared.checkCancellation)
        fillCrossAttentionCache(positions: positions)
    }

    /// Runs the encoder alone, for measurements.
    func runEncoder(positions: Int) {
        model.encoder.forward(positions: positions, state: shared.encoder, checkCancellation: {})
    }

    /// Computes the keys and values of what was encoded last.
    func fillCrossAttentionCache(positions: Int) {
        forgetPrompt()
        model.decoder.fillCrossAttentionCache(memory, from: shared.encoder, positions: positions, state: shared.state)
    }

    /// The probability of each of the model's languages, in the order of the special tokens.
    func languageProbabilities() -> [Double] {
        let special = model.tokenizer.specialTokens
        forward([special.startOfTranscript])
        model.decoder.logits(first: 0, count: 1, state: shared.state)
        let row = shared.state.logits(row: 0)
        let logits = special.languages.map { row[$0.id] }
        return logits.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return [] }
            let total = Reductions.logSumExp(base, count: buffer.count)
            return buffer.map { Double(exp($0 - total)) }
        }
    }

    /// Runs a whole text through the decoder under an observer, and returns how probable `count` of its tokens were,
    /// each given those before it: the tokens after index `first`.
    func probabilities(
        of tokens: [Int], from first: Int, count: Int, observer: any CrossAttentionObserver
    ) throws -> [Double] {
        try shared.checkCancellation()
        forward(tokens, observer: observer)
        let state = shared.state
        let textCount = model.tokenizer.specialTokens.endOfText
        var probabilities: [Double] = []
        probabilities.reserveCapacity(count)
        for start in stride(from: 0, to: count, by: state.logitRows) {
            let rows = min(state.logitRows, count - start)
            model.decoder.logits(first: first + start, count: rows, state: state)
            for row in 0..<rows {
                let logits = state.logits(row: row)
                let total = Reductions.logSumExp(logits, count: textCount)
                probabilities.append(Double(exp(logits[tokens[first + 1 + start + row]] - total)))
            }
        }
        return probabilities
    }

    /// Runs tokens from position 0 through the decoder, in the place of the prompt.
    private func forward(_ tokens: [Int], observer: (any CrossAttentionObserver)? = nil) {
        forgetPrompt()
        shared.beginBatch()
        append(tokens, to: shared.state.batch)
        shared.state.batch.endGroup(memory)
        shared.forward(observer: observer)
    }

    // MARK: The search

    /// Decodes the encoded window after a prompt and returns the best hypothesis; no other lane takes part.
    func decode(_ request: SearchRequest) throws -> Hypothesis {
        start(request)
        while true {
            if let found = try found() { return found }
            try step()
        }
    }

    /// Decodes one more token, or the prompt, of this lane alone.
    func step() throws {
        try shared.checkCancellation()
        shared.beginBatch()
        appendRows(to: shared.state.batch)
        shared.forward()
        model.decoder.logits(shared.state.batch.wanted, state: shared.state)
        choose(by: shared.state.logits(row: 0), stride: shared.state.logitStride)
    }

    /// Forgets the prompt in the cache, because the window or the cache is another one now.
    func forgetPrompt() { prompt = nil }

    /// Forgets the text that is searched for.
    func cancel() { (request, search) = (nil, nil) }

    /// Begins to search for a text; the passes of the decoder continue it.
    func start(_ request: SearchRequest) {
        precondition(request.prompt.tokens.count <= model.shape.textContext, "a prompt fits into the context")
        self.request = request
        search = request.prompt == prompt ? makeSearch(request, shared.state.logits(row: 0)) : nil
    }

    /// Whether the next pass of the decoder has rows of this lane.
    var isSearching: Bool { request != nil && search?.rowCount != 0 }

    /// The text that was found; nil while it is searched for.
    ///
    /// - Throws: ``StenoError`` with code `modelDamaged` when the logits are not numbers.
    func found() throws -> Hypothesis? {
        guard !isSearching else { return nil }
        guard let best = search?.hypotheses.first, !best.logProbability.isNaN else {
            throw StenoError(.modelDamaged, "The model's logits are not numbers. Fetch the model again.")
        }
        return best
    }

    /// How many rows of a prompt the next pass needs.
    var promptRows: Int { search == nil ? request?.prompt.tokens.count ?? 0 : 0 }

    /// Adds the next rows to the batch, and wants the logits of all of them, or of a prompt's that are chosen by.
    func appendRows(to batch: DecoderBatch) {
        let first = batch.count
        defer { batch.endGroup(memory) }
        if let search {
            search.appendRows(to: batch)
            return batch.want(first..<batch.count)
        }
        guard let prompt = request?.prompt else { return }
        append(prompt.tokens, to: batch)
        let start = first + prompt.startIndex, last = batch.count - 1
        batch.want(start..<start + 1)
        if last != start { batch.want(last..<last + 1) }
    }

    /// Adds tokens from position 0 on, each looking at those before it.
    func append(_ tokens: [Int], to batch: DecoderBatch) {
        let slots = table.slotList(firstRow)
        for (position, token) in tokens.enumerated() {
            slots[position] = Int32(firstSlot + position)
            batch.append(token: Int32(token), position: position, slot: slots[position], list: firstRow)
        }
    }

    /// Chooses the next tokens by the logits of the rows wanted, `stride` floats apart; the logits are changed.
    func choose(by logits: UnsafeMutablePointer<Float>, stride: Int) {
        if let search { return search.selectTokens(from: logits, stride: stride) }
        guard let request else { return }
        let count = model.shape.vocabularySize
        let total = Reductions.logSumExp(logits, count: count)
        noSpeechProbability = Double(exp(logits[model.tokenizer.specialTokens.noSpeech] - total))
        let isOneRow = request.prompt.startIndex == request.prompt.tokens.count - 1
        promptLogits.pointer.update(from: isOneRow ? logits : logits + stride, count: count)
        prompt = request.prompt
        search = makeSearch(request, logits)
    }

    private func makeSearch(_ request: SearchRequest, _ scratch: UnsafeMutablePointer<Float>) -> any TokenSearch {
        let prompt = request.prompt
        let context = SearchContext(
            table: table, firstRow: firstRow, rules: request.rules,
            endOfText: model.tokenizer.specialTokens.endOfText, vocabularySize: model.shape.vocabularySize,
            promptCount: prompt.tokens.count, firstSlot: firstSlot, forced: prompt.tokens.suffix(prompt.forcedCount),
            maxTokens: max(request.maxTokens, prompt.forcedCount + 1), lengthPenalty: request.lengthPenalty)
        let logits = UnsafePointer(promptLogits.pointer)
        switch request.method {
        case .beam(let size, let patience):
            return BeamSearch(context, beams: size, patience: patience, promptLogits: logits, scratch: scratch)
        case .samples(let count, let temperature, let seeds):
            return SampledSearch(
                context, samples: count, temperature: temperature, seeds: seeds, promptLogits: logits,
                scratch: scratch)
        }
    }
}

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif
