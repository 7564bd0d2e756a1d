import StenoCore

/// The tokens before a window's text: the previous text, the language and task, and forced first tokens.
struct WindowPrompt: Sendable, Hashable {
    /// All tokens in order.
    var tokens: [Int]
    /// The index of the start-of-transcript token, whose logits give the no-speech probability.
    var startIndex: Int
    /// The number of tokens at the end that belong to the window's text.
    var forcedCount: Int

    /// Builds the prompt in faster-whisper's format, within a budget.
    ///
    /// - Parameters:
    ///   - startOfPrevious: The token that introduces previous text and hotwords.
    ///   - sequence: The start of the transcript: language and task.
    ///   - previous: The tokens of the text so far; the last ones are used.
    ///   - hotwords: The tokens of words to expect; the first ones are used, ahead of the previous text.
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
    /// The tokens of words to expect; none for an empty text.
    func hotwordTokens(_ hotwords: String?) -> [Int] {
        guard let hotwords, !hotwords.isEmpty else { return [] }
        return encode(" " + hotwords.trimmingWhitespace)
    }

    /// The forced tokens of a window that must begin with a prefix, at most `limit` of them; none for an empty text.
    func prefixTokens(_ prefix: String?, withoutTimestamps: Bool, limit: Int) -> [Int] {
        guard let prefix, !prefix.isEmpty else { return [] }
        let text = encode(" " + prefix.trimmingWhitespace).prefix(limit)
        return (withoutTimestamps ? [] : [specialTokens.timestampBegin]) + text
    }
}
