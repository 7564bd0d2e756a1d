/// A window's place in the decoder: what it looks at, the prompt, and the search for its text.
///
/// The lanes of a decoder share its passes and nothing else. Each has rows and cache slots of its own, so what becomes
/// of a window does not depend on what is decoded beside it.
final class WindowLane {
    /// The keys and values of the window that was encoded last.
    let memory: WindowMemory
    /// The prompt that stands in the cache.
    private(set) var prompt: WindowPrompt?
    /// The probability that nobody speaks in the window, by the prompt's logits.
    private(set) var noSpeechProbability = 0.0

    private let table: HypothesisTable
    private let firstRow: Int
    private let firstSlot: Int
    private let model: WhisperModel
    /// The logits after the prompt, before any rule: [vocabulary].
    private let promptLogits: ScratchBuffer
    /// What is searched for; its prompt comes first.
    private var request: SearchRequest?
    private var search: (any TokenSearch)?

    /// Takes `hypotheses` rows of the table and its share of the cache.
    init(_ model: WhisperModel, table: HypothesisTable, number: Int, hypotheses: Int) throws {
        self.model = model
        self.table = table
        firstRow = number * hypotheses
        firstSlot = number * DecoderState.slots(shape: model.shape, hypotheses: hypotheses)
        memory = try WindowMemory(shape: model.shape, precision: model.precision)
        promptLogits = ScratchBuffer(count: model.shape.vocabularySize)
    }

    /// Forgets the prompt in the cache, because the window or the cache is another one now.
    func forgetPrompt() { prompt = nil }

    /// Forgets the text that is searched for.
    func cancel() { (request, search) = (nil, nil) }

    /// Begins to search for a text.
    ///
    /// - Parameter scratch: Room for a row of logits.
    func start(_ request: SearchRequest, scratch: UnsafeMutablePointer<Float>) {
        precondition(request.prompt.tokens.count <= model.shape.textContext, "a prompt fits into the context")
        self.request = request
        search = request.prompt == prompt ? makeSearch(request, scratch) : nil
    }

    /// Whether the next pass of the decoder has rows of this lane.
    var isSearching: Bool { request != nil && search?.rowCount != 0 }

    /// The text that was found, when the search is over.
    var found: Hypothesis? { isSearching ? nil : search?.hypotheses.first }

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

    /// Takes the logits of the rows wanted, `stride` floats apart, and chooses; they are changed.
    func take(_ logits: UnsafeMutablePointer<Float>, stride: Int) {
        if let search { return search.take(logits, stride: stride) }
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
