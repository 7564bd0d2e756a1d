import StenoCore

/// What the decoder gets before a window's text: the text so far, the language and task, and forced first words.
struct WindowPrompt: Sendable, Hashable {
    /// All tokens in order.
    var tokens: [Int]
    /// Where the start-of-transcript token stands: its logits tell whether anybody speaks.
    var startIndex: Int
    /// How many tokens at the end belong to the window's text.
    var forcedCount: Int

    /// Builds the prompt as faster-whisper does, within a budget.
    ///
    /// - Parameters:
    ///   - startOfPrevious: The token before the text so far and before hotwords.
    ///   - sequence: The start of the transcript: language and task.
    ///   - previous: The tokens so far, of which the last are used.
    ///   - hotwords: The tokens of words to expect, of which the first are used; they come before the text so far.
    ///   - forced: Tokens the window's text must begin with.
    init(
        startOfPrevious: Int, sequence: [Int], previous: ArraySlice<Int> = [], hotwords: [Int] = [],
        forced: [Int] = [], budget: PromptBudget
    ) {
        let expected = hotwords.prefix(budget.hotwordLimit(sequence: sequence.count, forced: forced.count))
        let context = previous.suffix(
            budget.previousLimit(sequence: sequence.count, forced: forced.count, hotwords: expected.count))
        tokens = context.isEmpty && expected.isEmpty ? [] : [startOfPrevious]
        tokens += expected
        tokens += context
        startIndex = tokens.count
        tokens += sequence
        tokens += forced
        forcedCount = forced.count
    }
}

extension Tokenizer {
    /// The tokens of words to expect; an empty text has none.
    func hotwordTokens(_ hotwords: String?) -> [Int] {
        guard let hotwords, !hotwords.isEmpty else { return [] }
        return encode(" " + hotwords.trimmingWhitespace)
    }

    /// The forced first tokens of a window that must begin with a prefix, at most `limit` of them; an empty text is
    /// none.
    func prefixTokens(_ prefix: String?, withoutTimestamps: Bool, limit: Int) -> [Int] {
        guard let prefix, !prefix.isEmpty else { return [] }
        let text = encode(" " + prefix.trimmingWhitespace).prefix(limit)
        return (withoutTimestamps ? [] : [specialTokens.timestampBegin]) + text
    }
}
