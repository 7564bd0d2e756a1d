import Testing

@testable import StenoCore
@testable import StenoWhisper

/// Runs a search without a model: a step's logits are a function of the hypothesis's tokens so far.
struct ScriptedSearch {
    /// The logits after these tokens, the first of which are forced.
    typealias Script = ([Int]) -> [Float]

    var vocabularySize: Int
    var endOfText: Int
    var maxTokens = 20
    var forced: [Int] = []
    /// The number of tokens before the forced ones.
    var promptLength = 3
    var rules = LogitRules()
    var lengthPenalty = 1.0
    var script: Script

    struct Run {
        var hypotheses: [Hypothesis]
        /// The histories requested at each step.
        var steps: [[[Int]]]
    }

    func beam(_ beams: Int, patience: Double = 1) -> Run {
        run(rows: beams) { context, logits, scratch in
            BeamSearch(context, beams: beams, patience: patience, promptLogits: logits, scratch: scratch)
        }
    }

    func samples(_ count: Int, temperature: Double, seeds: (UInt64, UInt64) = (0, 0)) -> Run {
        run(rows: count) { context, logits, scratch in
            SampledSearch(
                context, samples: count, temperature: temperature, seeds: seeds, promptLogits: logits, scratch: scratch)
        }
    }

    private func run(
        rows: Int,
        _ make: (SearchContext, UnsafePointer<Float>, UnsafeMutablePointer<Float>) -> any TokenSearch
    ) -> Run {
        let prompt = promptLength + forced.count
        let table = HypothesisTable(rows: rows, context: prompt + maxTokens + 1)
        let context = SearchContext(
            table: table, firstRow: 0, rules: rules, endOfText: endOfText, vocabularySize: vocabularySize,
            promptCount: prompt, firstSlot: 0, forced: forced, maxTokens: maxTokens, lengthPenalty: lengthPenalty)
        // Wider than the vocabulary, with NaN in between, which must never be read.
        let stride = vocabularySize + 3
        let logits = Floats([Float](repeating: .nan, count: max(rows, 1) * stride))
        let promptLogits = Floats(script(forced))
        let batch = DecoderBatch(capacity: rows)
        let search = make(context, promptLogits.pointer, logits.pointer)
        #expect(
            promptLogits.array.map(\.bitPattern) == script(forced).map(\.bitPattern),
            "the prompt's logits are reused at the next temperature")

        // The tokens decoded into each slot, with their histories: what a KV cache would contain.
        var past: [Int32: [Int]] = [:]
        for position in 0..<prompt { past[Int32(position)] = [] }
        var steps: [[[Int]]] = []
        while search.rowCount > 0, steps.count < 1000 {
            let rowCount = search.rowCount
            batch.begin(slotLists: table.slotList(0), stride: table.stride)
            search.appendRows(to: batch)
            #expect(batch.count == rowCount)
            let histories = decode(batch, prompt: prompt, &past)
            steps.append(histories)
            for (row, history) in histories.enumerated() {
                let values = script(history)
                for (token, value) in values.enumerated() { logits.pointer[row * stride + token] = value }
            }
            search.selectTokens(from: logits.pointer, stride: stride)
        }
        return Run(hypotheses: search.hypotheses, steps: steps)
    }

    /// The rows' tokens according to the cache's slots, so that a wrong slot list gives a wrong history.
    private func decode(_ batch: DecoderBatch, prompt: Int, _ past: inout [Int32: [Int]]) -> [[Int]] {
        let lists = (0..<batch.count).map { row in
            (0..<Int(batch.lengths[row])).map { batch.slotLists[Int(batch.lists[row]) * batch.slotStride + $0] }
        }
        let histories = lists.enumerated().map { row, slots in
            (slots.dropLast().last.flatMap { past[$0] } ?? []) + [Int(batch.tokens[row])]
        }
        // As in the decoder, every row's key is stored before any row attends.
        for (row, history) in histories.enumerated() { past[batch.ownSlots[row]] = history }
        for (row, slots) in lists.enumerated() {
            #expect(Int(batch.positions[row]) == slots.count - 1)
            #expect(slots.last == batch.ownSlots[row])
            #expect(slots.prefix(prompt).elementsEqual((0..<prompt).map(Int32.init)))
            #expect(histories[row].count == slots.count - prompt)
            for (index, slot) in slots.dropFirst(prompt).enumerated() {
                #expect(past[slot] == Array(histories[row].prefix(index + 1)), "a different history in slot \(slot)")
            }
        }
        return histories.map { forced + $0 }
    }
}

/// Floats at a fixed address.
private final class Floats {
    let pointer: UnsafeMutablePointer<Float>
    private let count: Int

    init(_ values: [Float]) {
        count = values.count
        pointer = .allocate(capacity: max(count, 1))
        for (index, value) in values.enumerated() { (pointer + index).initialize(to: value) }
    }

    deinit { pointer.deallocate() }

    var array: [Float] { Array(UnsafeBufferPointer(start: pointer, count: count)) }
}
