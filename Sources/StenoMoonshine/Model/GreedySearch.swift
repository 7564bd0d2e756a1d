import StenoCompute
import StenoCore

/// Chooses the most probable token at every step, and checks a draft of the text in one pass over several tokens.
struct GreedySearch {
    let decoder: MoonshineDecoder
    let text: TextMemory
    let audio: CrossMemory
    let weights: CrossAttentionWeights?
    let context: ComputeContext
    let checkCancellation: () throws -> Void

    /// - Parameters:
    ///   - forced: The tokens before the text: the start, and a prefix.
    ///   - draft: A guess of the text. It changes the time this takes, but not the result.
    ///   - limit: The maximum number of tokens after the forced ones.
    func run(forced: [Int], draft: [Int], limit: Int) throws -> MoonshineDecoding {
        var decoding = MoonshineDecoding()
        // A token at the context's end can be chosen, but not be read.
        let room = min(limit, decoder.shape.textContext - forced.count + 1)
        guard room > 0 else { return decoding }
        let known = 0..<decoder.shape.vocabularySize
        let draft = Array(draft.prefix { $0 != decoder.shape.endToken && known.contains($0) }.prefix(room - 1))
        try read(forced + draft, from: 0)
        var isOpen = choose(forced.count - 1..<forced.count + draft.count, draft: draft, room: room, &decoding)
        weights?.truncate(to: forced.count - 1 + decoding.tokens.count + (decoding.endLogProbability == nil ? 0 : 1))
        while isOpen {
            try read(decoding.tokens.suffix(1).map(\.id), from: forced.count + decoding.tokens.count - 1)
            isOpen = choose(0..<1, draft: [], room: room, &decoding)
        }
        return decoding
    }

    private func read(_ tokens: [Int], from position: Int) throws {
        try checkCancellation()
        weights?.append(tokens.count)
        decoder.forward(tokens[...], from: position, text: text, audio: audio, weights: weights, in: context)
    }

    /// Chooses the tokens after some of the last pass's rows, as long as each is the one that the next row has read.
    ///
    /// - Returns: Whether the text continues.
    private func choose(_ rows: Range<Int>, draft: [Int], room: Int, _ decoding: inout MoonshineDecoding) -> Bool {
        for first in stride(from: rows.lowerBound, to: rows.upperBound, by: TextMemory.logitRows) {
            let part = first..<min(first + TextMemory.logitRows, rows.upperBound)
            decoder.logits(part, text: text, in: context)
            for row in part {
                let token = best(text.logits(row: row - first))
                guard token.id != decoder.shape.endToken else {
                    decoding.endLogProbability = token.logProbability
                    return false
                }
                decoding.tokens.append(token)
                guard decoding.tokens.count < room else { return false }
                let next = row - rows.lowerBound
                guard draft.indices.contains(next), draft[next] == token.id else { return true }
                decoding.acceptedDraft += 1
            }
        }
        return true
    }

    private func best(_ logits: UnsafePointer<Float>) -> MoonshineDecoding.Token {
        let count = decoder.shape.vocabularySize
        return withUnsafeTemporaryAllocation(of: Int32.self, capacity: 2) { top in
            top.initialize(repeating: 0)
            if let base = top.baseAddress { Reductions.top(2, of: logits, count: count, into: base) }
            let best = Int(top[0]), logit = logits[best]
            return MoonshineDecoding.Token(
                id: best, logProbability: logit - Reductions.logSumExp(logits, count: count),
                margin: logit - logits[Int(top[1])])
        }
    }
}

/// A text as the decoder chose it.
package struct MoonshineDecoding: Sendable, Hashable {
    package struct Token: Sendable, Hashable {
        package var id: Int
        /// The natural logarithm of its probability.
        package var logProbability: Float
        /// How far its logit is above that of the next best token.
        package var margin: Float
    }

    /// The tokens, without the prefix and without those that start and end the text.
    package var tokens: [Token] = []
    /// The log probability of the end of text; nil if the limit or the model's context ended the text.
    package var endLogProbability: Float?
    /// The number of the draft's tokens that were confirmed.
    package var acceptedDraft = 0
}
