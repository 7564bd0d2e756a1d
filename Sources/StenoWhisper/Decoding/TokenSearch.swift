import Foundation
import StenoCompute
import StenoCore

/// A strategy for choosing a window's tokens, one step at a time.
///
/// A search does not own a model: it names the tokens to decode next and receives their logits, so that the searches of
/// several windows share one pass through the decoder.
protocol TokenSearch: AnyObject {
    /// The number of rows in the next step; 0 when the search is over.
    var rowCount: Int { get }

    func appendRows(to batch: DecoderBatch)

    /// The token to decode next, if the search has one row; a draft may have predicted it.
    var nextToken: Int? { get }

    /// The first row's tokens so far, which show how far the text has come.
    var firstRowTokens: UnsafeBufferPointer<Int32> { get }

    /// Chooses the next tokens from the logits of those rows, `stride` floats apart.
    func selectTokens(from logits: UnsafeMutablePointer<Float>, stride: Int)

    /// The finished hypotheses, best first; complete when ``rowCount`` is 0.
    var hypotheses: [Hypothesis] { get }
}

/// A finished text of a window.
struct Hypothesis: Sendable, Hashable {
    /// The window's tokens, forced ones included, without the end of text.
    var tokens: [Int]
    /// The log probability of each of them, given those before it; 0 for forced ones.
    var tokenLogProbabilities: [Float]
    /// The sum of the chosen tokens' log probabilities, including the end of text.
    var logProbability: Float

    /// The score by which hypotheses are ranked: the log probability divided by length to the power of `lengthPenalty`.
    func score(lengthPenalty: Double) -> Float {
        tokens.isEmpty ? -.infinity : logProbability / Float(pow(Double(tokens.count), lengthPenalty))
    }
}

/// The values that all searches of a window have in common.
struct SearchContext {
    let table: HypothesisTable
    let firstRow: Int
    let rules: LogitRules
    let endOfText: Int
    let vocabularySize: Int
    /// The prompt's length, forced tokens included: the cache's position of the first chosen token.
    let promptCount: Int
    /// The prompt's slots are `firstSlot …`, the chosen tokens' slots follow.
    let firstSlot: Int
    /// The tokens at the end of the prompt that belong to the window's text.
    let forced: [Int]
    /// The maximum number of tokens in the window's text, forced ones included.
    let maxTokens: Int
    let lengthPenalty: Double

    /// Fills the first `rows` rows with the prompt's slots and the forced tokens.
    func prepare(rows: Int) {
        for row in firstRow..<firstRow + rows {
            let slots = table.slotList(row)
            for position in 0..<promptCount { slots[position] = Int32(firstSlot + position) }
            for (index, token) in forced.enumerated() { table.setToken(Int32(token), row: row, at: index) }
        }
    }

    /// Adds a row that decodes the newest token of table row `row`, whose history then has `count` tokens.
    func append(row: Int, count: Int, slot: Int, to batch: DecoderBatch) {
        let position = promptCount + count - forced.count - 1
        table.slotList(row)[position] = Int32(slot)
        batch.append(
            token: table.history(row, count: count)[count - 1], position: position, slot: Int32(slot), list: row)
    }

    /// Applies the rules to a row's logits and converts them to log probabilities.
    func finish(_ logits: UnsafeMutablePointer<Float>, row: Int, count: Int) {
        let buffer = UnsafeMutableBufferPointer(start: logits, count: vocabularySize)
        rules.apply(to: buffer, history: table.history(row, count: count), forced: forced.count)
        Reductions.logSoftmax(logits, count: vocabularySize)
    }

    func hypothesis(row: Int, count: Int, logProbability: Float) -> Hypothesis {
        Hypothesis(
            tokens: table.history(row, count: count).map(Int.init),
            tokenLogProbabilities: Array(table.logProbabilities(row, count: count)), logProbability: logProbability)
    }

    /// Hypotheses, best first; among equals, the one that finished first.
    func ranked(_ hypotheses: [Hypothesis]) -> [Hypothesis] {
        hypotheses.enumerated().sorted {
            let first = $0.element.score(lengthPenalty: lengthPenalty)
            let second = $1.element.score(lengthPenalty: lengthPenalty)
            return first == second ? $0.offset < $1.offset : first > second
        }.map(\.element)
    }
}
