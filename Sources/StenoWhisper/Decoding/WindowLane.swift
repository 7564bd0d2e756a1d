import Foundation
import StenoCompute
import StenoCore

/// One window's part of the decoder: its cross-attention KV cache, its prompt, and its search.
///
/// The lanes of a decoder share its passes and nothing else. Each has its own rows and cache slots, so a window's
/// result does not depend on what is decoded with it.
final class WindowLane {
    /// The cross-attention KV cache of the most recently encoded window.
    let memory: CrossAttentionCache
    /// The prompt in the self-attention KV cache.
    private(set) var prompt: WindowPrompt?
    /// The no-speech probability, from the prompt's logits.
    private(set) var noSpeechProbability = 0.0
    /// The number of windows encoded so far: if it has not grown, ``memory`` still has the same window.
    private(set) var encodingCount = 0

    private let shared: SharedDecoder
    private let firstRow: Int
    private let firstSlot: Int
    /// The logits after the prompt, before any rules: [vocabulary].
    private let promptLogits: ScratchBuffer
    /// The request being searched; its prompt is decoded first.
    private var request: SearchRequest?
    private var search: (any TokenSearch)?

    var model: WhisperModel { shared.model }
    private var table: HypothesisTable { shared.table }

    /// Reserves `hypotheses` rows of the table and the lane's share of the cache.
    init(_ shared: SharedDecoder, number: Int, hypotheses: Int) throws {
        self.shared = shared
        firstRow = number * hypotheses
        firstSlot = number * DecoderState.slots(shape: shared.model.shape, hypotheses: hypotheses)
        memory = try CrossAttentionCache(shape: shared.model.shape, precision: shared.model.precision)
        promptLogits = try ScratchBuffer(count: shared.model.shape.vocabularySize)
    }

    /// A lane that decodes one window at a time, outside any batch.
    ///
    /// - Parameter isGrowing: Whether the same audio is decoded repeatedly while it grows.
    convenience init(
        _ model: WhisperModel, hypotheses: Int, isGrowing: Bool = false, isCancelled: @escaping () -> Bool
    ) throws {
        try self.init(
            SharedDecoder(model, hypotheses: hypotheses, lanes: 1, isGrowing: isGrowing, isCancelled: isCancelled),
            number: 0, hypotheses: hypotheses)
    }

    // MARK: The window

    /// Where the next window's features are written: [frames, mels].
    var frames: UnsafeMutablePointer<Float> { shared.encoder.frames }

    /// Encodes the features in ``frames`` and fills the cross-attention KV cache.
    func encode(positions: Int) throws {
        try shared.checkCancellation()
        try model.encoder.forward(
            positions: positions, state: shared.encoder, checkCancellation: shared.checkCancellation)
        fillCrossAttentionCache(positions: positions)
    }

    func runEncoder(positions: Int) {
        model.encoder.forward(positions: positions, state: shared.encoder, checkCancellation: {})
    }

    /// Fills the cross-attention KV cache from the encoder's last output.
    func fillCrossAttentionCache(positions: Int) {
        forgetPrompt()
        encodingCount += 1
        model.decoder.fillCrossAttentionCache(memory, from: shared.encoder, positions: positions, state: shared.state)
    }

    /// The probability of each of the model's languages, in the order of their special tokens.
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

    /// Runs a whole text through the decoder under an observer, and returns the probability of each of `count` tokens
    /// after index `first`, given the tokens before it.
    func probabilities(
        of tokens: [Int], from first: Int, count: Int, observer: AlignmentMatrix
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

    /// Runs tokens through the decoder from position 0, replacing the prompt.
    private func forward(_ tokens: [Int], observer: AlignmentMatrix? = nil) {
        forgetPrompt()
        shared.beginBatch()
        append(tokens, to: shared.state.batch)
        shared.state.batch.endGroup(memory)
        shared.forward(observer: observer)
    }

    // MARK: The search

    /// Decodes the encoded window after a prompt and returns the best hypothesis, without other lanes.
    func decode(_ request: SearchRequest) throws -> Hypothesis {
        start(request)
        while true {
            if let found = try found() { return found }
            try step()
        }
    }

    /// All finished hypotheses of the search, best first.
    var hypotheses: [Hypothesis] { search?.hypotheses ?? [] }

    /// Decodes one more token of this lane only, or the prompt and the part of the draft that is right.
    func step() throws {
        try shared.checkCancellation()
        let state = shared.state, draft = search == nil ? draft() : []
        shared.beginBatch()
        appendRows(to: state.batch, draft: draft)
        // A product of a few rows takes hardly longer than one of two, so the draft's first logits come with the
        // prompt's.
        let first = state.batch.count - draft.count, early = min(draft.count, state.logitRows - state.batch.wantedCount)
        if early > 0 { state.batch.requestLogits(first..<first + early) }
        shared.forward()
        model.decoder.logits(state.batch.wanted, state: state)
        choose(by: state.logits(row: 0), stride: state.logitStride)
        try follow(draft, firstRow: first, early: early)
    }

    /// The tokens of the request's draft that greedy search can verify: text, as much as may be chosen.
    private func draft() -> [Int] {
        guard let request, case .samples(1, temperature: 0, _) = request.method else { return [] }
        let prompt = request.prompt
        // The last token that may be chosen is not decoded, nor is anything beyond the context.
        let room = min(request.maxTokens - prompt.forcedCount - 1, model.shape.textContext - prompt.tokens.count)
        let endOfText = model.tokenizer.specialTokens.endOfText
        return Array(request.draft.prefix(max(room, 0)).prefix { (0..<endOfText).contains($0) })
    }

    /// Continues the search with the draft's rows of the last pass, for as long as it chooses the draft's tokens.
    ///
    /// The rows are those that decoding token by token would have computed, so the choice is the same (greedy
    /// verification: Stern et al. 2018, Blockwise Parallel Decoding). Cache entries of a wrong draft are overwritten by
    /// the next tokens.
    ///
    /// - Parameters:
    ///   - firstRow: The draft's first row in the batch.
    ///   - early: The number of its rows whose logits are already there, after the prompt's.
    private func follow(_ draft: [Int], firstRow: Int, early: Int) throws {
        let state = shared.state
        var (start, end, logits) = (0, early, state.batch.wantedCount - early)
        for (index, token) in draft.enumerated() {
            guard let search, search.nextToken == token else { return }
            if index == end {
                try shared.checkCancellation()
                (start, end, logits) = (index, min(index + state.logitRows, draft.count), 0)
                model.decoder.logits(first: firstRow + start, count: end - start, state: state)
            }
            search.selectTokens(from: state.logits(row: logits + index - start), stride: state.logitStride)
        }
    }

    /// Marks the prompt in the cache as invalid after the window or the cache has changed.
    func forgetPrompt() { prompt = nil }

    func cancel() { (request, search) = (nil, nil) }

    /// Starts a search; the decoder's passes continue it.
    func start(_ request: SearchRequest) {
        precondition(request.prompt.tokens.count <= model.shape.textContext, "a prompt fits into the context")
        self.request = request
        search = request.prompt == prompt ? makeSearch(request, shared.state.logits(row: 0)) : nil
    }

    /// Whether the next decoder pass includes rows of this lane.
    var isSearching: Bool { request != nil && search?.rowCount != 0 }

    /// The best hypothesis; nil while the search is running.
    ///
    /// - Throws: ``StenoError`` with code `modelDamaged` when the logits are not numbers.
    func found() throws -> Hypothesis? {
        guard !isSearching else { return nil }
        guard let best = search?.hypotheses.first, !best.logProbability.isNaN else {
            throw StenoError(.modelDamaged, "The model's logits are not finite numbers. Download the model again.")
        }
        return best
    }

    /// The frame of the audio that the text being searched has reached.
    ///
    /// It is the text's last timestamp, or, if that is later, the time that this many tokens take at the fastest usual
    /// rate. It stays within nine tenths of the window until the text is complete.
    func position(in window: Range<Int>) -> Int {
        guard let tokens = search?.firstRowTokens else { return window.lowerBound }
        let begin = Int32(model.tokenizer.specialTokens.timestampBegin)
        let spoken = tokens.last { $0 >= begin }.map { Int($0 - begin) * Self.framesPerTimestamp } ?? 0
        return window.lowerBound + min(max(spoken, tokens.count * Self.framesPerToken), window.count * 9 / 10)
    }

    private static let framesPerTimestamp = 2
    /// Five tokens a second.
    private static let framesPerToken = 20

    var promptRows: Int { search == nil ? request?.prompt.tokens.count ?? 0 : 0 }

    /// Adds the next rows to the batch and requests logits for all of them, or for a prompt's rows that a choice
    /// depends on.
    ///
    /// - Parameter draft: Tokens to decode after the prompt.
    func appendRows(to batch: DecoderBatch, draft: [Int] = []) {
        let first = batch.count
        defer { batch.endGroup(memory) }
        if let search {
            search.appendRows(to: batch)
            return batch.requestLogits(first..<batch.count)
        }
        guard let prompt = request?.prompt else { return }
        append(prompt.tokens + draft, to: batch)
        let start = first + prompt.startIndex, last = batch.count - draft.count - 1
        batch.requestLogits(start..<start + 1)
        if last != start { batch.requestLogits(last..<last + 1) }
    }

    /// Adds tokens from position 0, each attending to those before it.
    func append(_ tokens: [Int], to batch: DecoderBatch) {
        let slots = table.slotList(firstRow)
        for (position, token) in tokens.enumerated() {
            slots[position] = Int32(firstSlot + position)
            batch.append(token: Int32(token), position: position, slot: slots[position], list: firstRow)
        }
    }

    /// Chooses the next tokens from the logits of the requested rows, `stride` floats apart; modifies the logits.
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
                context, samples: count, temperature: temperature, seeds: seeds, promptLogits: logits, scratch: scratch)
        }
    }
}
