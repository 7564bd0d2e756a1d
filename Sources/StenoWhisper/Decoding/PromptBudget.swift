import StenoCore

/// How the model's context is shared out between a prompt and the text after it.
///
/// The parts that must be whole come first: the sequence of language and task, forced tokens, and room for the text.
/// Hotwords get what is left, up to half of the context, and the text so far the rest of it, its end kept: however
/// long a recording grows, its prompt fits. faster-whisper has no such rule and fails where the parts exceed the
/// context; where they do not, the prompts are the same.
struct PromptBudget: Sendable, Hashable {
    /// The tokens that prompt and text may have together: 448.
    let context: Int
    /// The tokens kept free for the text.
    let reserved: Int

    /// The least that is kept for a text, as a share of the context: 56 of 448 tokens, half a minute of slow speech.
    private static let leastShare = 8

    init(context: Int, maxNewTokens: Int? = nil) {
        self.context = context
        reserved = maxNewTokens ?? context / Self.leastShare
    }

    /// The most tokens of hotwords, of previous text and of a prefix, each: half of the context, less the mark before
    /// them.
    static func partLimit(context: Int) -> Int { context / 2 - 1 }

    /// How many hotword tokens fit beside a sequence and forced tokens.
    func hotwordLimit(sequence: Int, forced: Int) -> Int {
        max(0, min(Self.partLimit(context: context), context - reserved - sequence - forced - 1))
    }

    /// How many tokens of the text so far fit beside everything else.
    func previousLimit(sequence: Int, forced: Int, hotwords: Int) -> Int {
        max(0, min(Self.partLimit(context: context), context - reserved - sequence - forced - hotwords - 1))
    }

    /// The most tokens of a window's text, forced ones included: half of the context, or what the prompt leaves.
    ///
    /// As in faster-whisper a limit asked for is added to the prompt's length first, and the decoder takes half of
    /// that sum: a limit of 8 after a prompt of 3 gives 5 tokens.
    func textLimit(prompt: Int, forced: Int, maxNewTokens: Int?) -> Int {
        let total = min(context, maxNewTokens.map { prompt + min($0, context) } ?? context)
        let fed = prompt - forced - 1
        return max(1, min(total / 2, total - fed))
    }

    /// Refuses parts that can never fit, before any work.
    func check(sequence: Int, forced: Int) throws {
        guard reserved <= context - sequence - forced else {
            throw StenoError(
                .invalidOption,
                "The prefix has \(forced) tokens and \(reserved) new ones are to be possible, but the model's context has room for \(context - sequence) in all. Shorten the prefix or lower the limit of new tokens."
            )
        }
    }
}
