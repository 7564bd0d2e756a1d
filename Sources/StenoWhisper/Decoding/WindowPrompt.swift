import StenoCore

/// The tokens before a window's text: the previous text, the language and task, and forced first tokens.
struct WindowPrompt: Sendable, Hashable {
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

/// How the model's context is divided between a prompt and the text after it.
///
/// The mandatory parts come first: the language and task tokens, forced tokens, and room for the text. Hotwords get
/// what remains, up to half of the context, and the previous text the rest, truncated at its start. The prompt
/// therefore fits however long the recording is. faster-whisper has no such rule and fails if the parts exceed the
/// context; otherwise the prompts are equal.
struct PromptBudget: Sendable, Hashable {
    /// The number of tokens that prompt and text may have together: 448.
    let context: Int
    /// The number of tokens reserved for the text.
    let reserved: Int

    /// The minimum reserved for the text, as a fraction of the context: 56 of 448 tokens, half a minute of slow speech.
    private static let leastShare = 8

    init(context: Int, maxNewTokens: Int? = nil) {
        self.context = context
        reserved = maxNewTokens ?? context / Self.leastShare
    }

    /// The maximum number of tokens of each of hotwords, previous text and prefix: half of the context, minus the token
    /// that introduces them.
    static func partLimit(context: Int) -> Int { context / 2 - 1 }

    /// The number of hotword tokens that fit in addition to the sequence and forced tokens.
    func hotwordLimit(sequence: Int, forced: Int) -> Int {
        max(0, min(Self.partLimit(context: context), context - reserved - sequence - forced - 1))
    }

    /// The number of tokens of previous text that fit in addition to everything else.
    func previousLimit(sequence: Int, forced: Int, hotwords: Int) -> Int {
        max(0, min(Self.partLimit(context: context), context - reserved - sequence - forced - hotwords - 1))
    }

    /// The maximum number of tokens of a window's text, forced ones included: half of the context, or what the prompt
    /// leaves.
    ///
    /// As in faster-whisper, a requested limit is first added to the prompt's length, and the decoder takes half of
    /// that sum: a limit of 8 after a prompt of 3 gives 5 tokens.
    func textLimit(prompt: Int, forced: Int, maxNewTokens: Int?) -> Int {
        let total = min(context, maxNewTokens.map { prompt + min($0, context) } ?? context)
        let fed = prompt - forced - 1
        return max(1, min(total / 2, total - fed))
    }

    /// Throws if mandatory parts can never fit, before any work starts.
    func check(sequence: Int, forced: Int) throws {
        try ensure(
            reserved <= context - sequence - forced, or: .invalidOption,
            "The prefix has \(forced) tokens and \(reserved) more are reserved for the text, but the model's context has room for \(context - sequence) in all. Shorten the prefix or lower the limit of new tokens."
        )
    }
}
