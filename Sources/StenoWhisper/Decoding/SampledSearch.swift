import Foundation
import StenoCompute
import StenoCore

/// Greedy search (temperature 0) or random sampling, in one or several rows.
final class SampledSearch: TokenSearch {
    private let context: SearchContext
    private let temperature: Float
    /// One generator per row, so that a row's text does not depend on the lengths of the others.
    private var generators: [RandomNumbers]
    private var logProbabilities: [Float]
    /// The unfinished samples in row order; when a row finishes, those after it move up.
    private var active: [Int]
    /// The row of each active sample before the last token.
    private var origins: [Int]
    /// The length of the active rows' histories.
    private var count: Int
    private var finished: [Hypothesis] = []

    /// Starts from the prompt's logits, which are not modified; `scratch` has room for a row of logits.
    init(
        _ context: SearchContext, samples: Int, temperature: Double, seeds: (UInt64, UInt64),
        promptLogits: UnsafePointer<Float>, scratch: UnsafeMutablePointer<Float>
    ) {
        self.context = context
        self.temperature = Float(temperature)
        generators = (0..<samples).map { RandomNumbers(seeds: seeds.0, seeds.1, UInt64($0)) }
        logProbabilities = Array(repeating: 0, count: samples)
        active = Array(0..<samples)
        origins = active
        count = context.forced.count
        context.prepare(rows: samples)
        scratch.update(from: promptLogits, count: context.vocabularySize)
        context.finish(scratch, row: context.firstRow, count: count)
        advance { _ in UnsafePointer(scratch) }
    }

    var rowCount: Int { active.count }
    var nextToken: Int? {
        guard logProbabilities.count == 1, !active.isEmpty else { return nil }
        return Int(context.table.history(context.firstRow, count: count)[count - 1])
    }
    var firstRowTokens: UnsafeBufferPointer<Int32> { context.table.history(context.firstRow, count: count) }
    var hypotheses: [Hypothesis] { context.ranked(finished) }

    func appendRows(to batch: DecoderBatch) {
        let samples = logProbabilities.count
        let chosen = count - context.forced.count
        for (index, sample) in active.enumerated() {
            let slot = context.firstSlot + context.promptCount + (chosen - 1) * samples + sample
            context.append(row: context.firstRow + index, count: count, slot: slot, to: batch)
        }
    }

    func selectTokens(from logits: UnsafeMutablePointer<Float>, stride: Int) {
        for index in active.indices {
            context.finish(logits + index * stride, row: context.firstRow + index, count: count)
        }
        advance { UnsafePointer(logits + $0 * stride) }
    }

    /// Chooses every active row's next token and keeps the rows that continue.
    private func advance(_ logProbabilities: (Int) -> UnsafePointer<Float>) {
        var kept = 0
        for index in active.indices {
            let sample = active[index]
            guard choose(sample, row: context.firstRow + index, logProbabilities(index)) else { continue }
            active[kept] = sample
            origins[kept] = index
            kept += 1
        }
        if kept < active.count { compactRows(kept) }
        active.removeLast(active.count - kept)
        count += 1
    }

    /// Moves the rows that continue to the front, because the decoder reads a step's rows from the table contiguously.
    private func compactRows(_ kept: Int) {
        let slotCount = context.promptCount + count - context.forced.count
        origins.withUnsafeBufferPointer { origins in
            context.table.reorder(
                first: context.firstRow, origins: UnsafeBufferPointer(rebasing: origins[..<kept]),
                tokenCount: count + 1, slotCount: slotCount)
        }
    }

    /// Chooses a row's next token; returns false when the row has finished.
    private func choose(_ sample: Int, row: Int, _ values: UnsafePointer<Float>) -> Bool {
        let token = temperature > 0 ? draw(sample, values) : mostProbable(values)
        logProbabilities[sample] += values[Int(token)]
        guard token != context.endOfText else {
            finish(row: row, count: count, sample)
            return false
        }
        context.table.setToken(token, logProbability: values[Int(token)], row: row, at: count)
        guard count + 1 < context.maxTokens else {
            finish(row: row, count: count + 1, sample)
            return false
        }
        return true
    }

    private func finish(row: Int, count: Int, _ sample: Int) {
        finished.append(context.hypothesis(row: row, count: count, logProbability: logProbabilities[sample]))
    }

    private func mostProbable(_ values: UnsafePointer<Float>) -> Int32 {
        var token: Int32 = 0
        Reductions.top(1, of: values, count: context.vocabularySize, into: &token)
        return token
    }

    /// Draws a token with probability ∝ p^(1/temperature).
    private func draw(_ sample: Int, _ values: UnsafePointer<Float>) -> Int32 {
        let peak = Reductions.maximum(values, count: context.vocabularySize)
        var total = 0.0
        for token in 0..<context.vocabularySize { total += weight(values[token], peak) }
        // If the weights are not finite there is nothing to sample from; the text's score reveals the failure.
        guard total > 0, total.isFinite else { return mostProbable(values) }
        var left = Double.random(in: 0..<total, using: &generators[sample])
        var last: Int32 = 0
        for token in 0..<context.vocabularySize {
            let share = weight(values[token], peak)
            guard share > 0 else { continue }
            last = Int32(token)
            left -= share
            if left < 0 { break }
        }
        return last
    }

    private func weight(_ value: Float, _ peak: Float) -> Double {
        let exponent = (value - peak) / temperature
        return exponent < -80 ? 0 : exp(Double(exponent))
    }
}

/// A small generator with good statistical properties, one word of state, and any seed.
///
/// SplitMix64 (Steele et al. 2014, "Fast Splittable Pseudorandom Number Generators").
package struct RandomNumbers: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates an independent stream for each combination of seeds, so that no result depends on the order of the work.
    package init(seeds: UInt64...) {
        state = 0x9E37_79B9_7F4A_7C15
        for seed in seeds { state = next() ^ seed }
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
