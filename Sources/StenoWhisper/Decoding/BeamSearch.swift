import StenoCompute
import StenoCore

/// Beam search with CTranslate2's rules for finished hypotheses.
///
/// Every step considers twice as many candidates as there are beams, so that a beam that ends can be replaced by the
/// best candidate that continues. The search ends when `beams × patience` hypotheses have finished (Kasai et al. 2022).
final class BeamSearch: TokenSearch {
    private struct Candidate {
        var beam = 0
        var token: Int32 = 0
        var logProbability: Float = 0
        /// The sum of the beam's log probabilities, this token's included.
        var score: Float = 0
    }

    private let context: SearchContext
    private let beams: Int
    private let wanted: Int
    /// The beams' summed log probabilities.
    private var scores: [Float]
    /// [rows of the step, 2 · beams]: the best tokens of each row, in descending order.
    private let best: UnsafeMutablePointer<Int32>
    /// How many entries of each row's list have been consumed.
    private var heads: [Int]
    private var candidates: [Candidate]
    /// The candidate that continues in each beam.
    private var survivors: [Int]
    private var origins: [Int]
    private var count: Int
    private var isOver = false
    /// Whether the most probable candidate of a step has finished.
    private var bestHasEnded = false
    private var finished: [Hypothesis] = []

    /// Starts from the prompt's logits, which are not modified.
    init(
        _ context: SearchContext, beams: Int, patience: Double, promptLogits: UnsafePointer<Float>,
        scratch: UnsafeMutablePointer<Float>
    ) {
        (self.context, self.beams) = (context, beams)
        wanted = Int(min(max(1, (Double(beams) * patience).rounded(.toNearestOrAwayFromZero)), 1e9))
        scores = Array(repeating: 0, count: beams)
        best = .allocate(capacity: beams * 2 * beams)
        best.initialize(repeating: 0, count: beams * 2 * beams)
        heads = Array(repeating: 0, count: beams)
        candidates = Array(repeating: Candidate(), count: 2 * beams)
        survivors = Array(repeating: 0, count: beams)
        origins = Array(repeating: 0, count: beams)
        count = context.forced.count
        context.prepare(rows: beams)
        scratch.update(from: promptLogits, count: context.vocabularySize)
        // All beams are identical before the first token, so only the first one is expanded.
        step(scratch, stride: 0, rows: 1)
    }

    deinit { best.deallocate() }

    var rowCount: Int { isOver ? 0 : beams }
    /// Beams have no single next token, so a draft is not verified.
    var nextToken: Int? { nil }
    var firstRowTokens: UnsafeBufferPointer<Int32> { context.table.history(context.firstRow, count: count) }
    var hypotheses: [Hypothesis] { context.ranked(finished) }

    func appendRows(to batch: DecoderBatch) {
        let chosen = count - context.forced.count
        for beam in 0..<beams {
            let slot = context.firstSlot + context.promptCount + (chosen - 1) * beams + beam
            context.append(row: context.firstRow + beam, count: count, slot: slot, to: batch)
        }
    }

    func selectTokens(from logits: UnsafeMutablePointer<Float>, stride: Int) {
        step(logits, stride: stride, rows: beams)
    }

    private func step(_ logits: UnsafeMutablePointer<Float>, stride: Int, rows: Int) {
        for row in 0..<rows { context.finish(logits + row * stride, row: context.firstRow + row, count: count) }
        chooseCandidates(logits, stride: stride, rows: rows)
        if rows == 1, !context.forced.isEmpty { discourageEarlyEnds() }
        let isLast = count + 1 == context.maxTokens
        retire(isLast: isLast)
        // Without a length penalty, no continuing candidate can overtake a best candidate that has finished, and no
        // number of less probable ones can replace it.
        isOver = isLast || (context.lengthPenalty == 0 ? bestHasEnded : finished.count >= wanted)
        if !isOver { continueSurvivors() }
    }

    /// Merges the rows' best tokens into the step's 2 · beams best candidates; ties go to the lower beam and token.
    private func chooseCandidates(_ logits: UnsafeMutablePointer<Float>, stride: Int, rows: Int) {
        let width = 2 * beams
        for row in 0..<rows {
            Reductions.top(width, of: logits + row * stride, count: context.vocabularySize, into: best + row * width)
            heads[row] = 0
        }
        for index in 0..<width {
            var choice: Candidate?
            for row in 0..<rows where heads[row] < width {
                let token = best[row * width + heads[row]]
                let logProbability = logits[row * stride + Int(token)]
                let score = logProbability + scores[row]
                if score > choice?.score ?? -.infinity || choice == nil {
                    choice = Candidate(beam: row, token: token, logProbability: logProbability, score: score)
                }
            }
            guard let choice else { continue }
            heads[choice.beam] += 1
            candidates[index] = choice
        }
    }

    /// After forced tokens, an end of text counts only as the first choice: CTranslate2's guard against empty texts.
    private func discourageEarlyEnds() {
        for index in 1..<candidates.count where candidates[index].token == context.endOfText {
            candidates[index] = Candidate(beam: 0, token: 0, score: -1e10)
        }
    }

    /// Records the finished candidates among the first `beams`, and replaces them by candidates that continue.
    private func retire(isLast: Bool) {
        var substitute = beams
        for beam in 0..<beams {
            survivors[beam] = beam
            let candidate = candidates[beam]
            let ends = candidate.token == context.endOfText
            guard ends || isLast else { continue }
            finished.append(hypothesis(candidate, ends: ends))
            if beam == 0 { bestHasEnded = true }
            while substitute < candidates.count, candidates[substitute].token == context.endOfText { substitute += 1 }
            guard substitute < candidates.count else { continue }
            survivors[beam] = substitute
            substitute += 1
        }
    }

    private func hypothesis(_ candidate: Candidate, ends: Bool) -> Hypothesis {
        var hypothesis = context.hypothesis(
            row: context.firstRow + candidate.beam, count: count, logProbability: candidate.score)
        if !ends {
            hypothesis.tokens.append(Int(candidate.token))
            hypothesis.tokenLogProbabilities.append(candidate.logProbability)
        }
        return hypothesis
    }

    /// Reassigns the survivors' cache slots to the beams and appends their tokens.
    private func continueSurvivors() {
        for beam in 0..<beams { origins[beam] = candidates[survivors[beam]].beam }
        let chosen = count - context.forced.count
        origins.withUnsafeBufferPointer { origins in
            context.table.reorder(
                first: context.firstRow, origins: origins, tokenCount: count, slotCount: context.promptCount + chosen)
        }
        for beam in 0..<beams {
            let candidate = candidates[survivors[beam]]
            context.table.setToken(
                candidate.token, logProbability: candidate.logProbability, row: context.firstRow + beam, at: count)
            scores[beam] = candidate.score
        }
        count += 1
    }
}

/// The tokens of the hypotheses in a batch, their log probabilities and KV cache slots.
final class HypothesisTable {
    /// [rows, stride]: the window's tokens, forced ones first.
    private let tokens: UnsafeMutablePointer<Int32>
    /// [rows, stride]: the log probability of each of these tokens; 0 for forced ones.
    private let logProbabilities: UnsafeMutablePointer<Float>
    /// [rows, stride]: the slot of every position, the prompt's first.
    private let slots: UnsafeMutablePointer<Int32>
    private let spare: UnsafeMutablePointer<Int32>
    private let spareLogProbabilities: UnsafeMutablePointer<Float>
    private let rows: Int
    /// The distance from one row's list to the next.
    let stride: Int

    init(rows: Int, context: Int) {
        self.rows = rows
        stride = context + 1
        let size = rows * stride
        tokens = .allocate(capacity: size)
        slots = .allocate(capacity: size)
        spare = .allocate(capacity: size)
        logProbabilities = .allocate(capacity: size)
        spareLogProbabilities = .allocate(capacity: size)
        for list in [tokens, slots, spare] { list.initialize(repeating: 0, count: size) }
        for list in [logProbabilities, spareLogProbabilities] { list.initialize(repeating: 0, count: size) }
    }

    deinit {
        for list in [tokens, slots, spare] { list.deallocate() }
        for list in [logProbabilities, spareLogProbabilities] { list.deallocate() }
    }

    func slotList(_ row: Int) -> UnsafeMutablePointer<Int32> { slots + row * stride }

    func history(_ row: Int, count: Int) -> UnsafeBufferPointer<Int32> {
        UnsafeBufferPointer(start: tokens + row * stride, count: count)
    }

    /// The log probabilities of the same tokens.
    func logProbabilities(_ row: Int, count: Int) -> UnsafeBufferPointer<Float> {
        UnsafeBufferPointer(start: logProbabilities + row * stride, count: count)
    }

    func setToken(_ token: Int32, logProbability: Float = 0, row: Int, at index: Int) {
        tokens[row * stride + index] = token
        logProbabilities[row * stride + index] = logProbability
    }

    /// Makes row `first + i` continue the former row `first + origins[i]`, up to the given counts of tokens and slots.
    func reorder(first: Int, origins: UnsafeBufferPointer<Int>, tokenCount: Int, slotCount: Int) {
        guard origins.enumerated().contains(where: { $0 != $1 }) else { return }
        permute(tokens, spare, first: first, origins: origins, count: tokenCount)
        permute(logProbabilities, spareLogProbabilities, first: first, origins: origins, count: tokenCount)
        permute(slots, spare, first: first, origins: origins, count: slotCount)
    }

    private func permute<Value>(
        _ list: UnsafeMutablePointer<Value>, _ spare: UnsafeMutablePointer<Value>, first: Int,
        origins: UnsafeBufferPointer<Int>, count: Int
    ) {
        // Only these rows are touched, in the spare list too, because other searches may be using theirs concurrently.
        for (row, origin) in origins.enumerated() {
            (spare + (first + row) * stride).update(from: list + (first + origin) * stride, count: count)
        }
        for row in origins.indices {
            (list + (first + row) * stride).update(from: spare + (first + row) * stride, count: count)
        }
    }
}
