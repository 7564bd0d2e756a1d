/// What the decoder is told before a window: the text so far, the language and task, and forced first words.
struct WindowPrompt: Sendable, Hashable {
    /// All tokens in order.
    var tokens: [Int]
    /// Where the start-of-transcript token stands: its logits tell whether anybody speaks.
    var startIndex: Int
    /// How many tokens at the end belong to the window's text.
    var forcedCount: Int

    /// The most tokens of previous text, and of hotwords: half of the context, less the mark before them.
    static func previousLimit(context: Int) -> Int { context / 2 - 1 }

    /// Builds the prompt as faster-whisper does.
    ///
    /// - Parameters:
    ///   - previous: The tokens so far, of which the last are used.
    ///   - hotwords: Words to expect; ignored when there is a prefix. An empty text is none, here and there.
    ///   - prefix: Text the window must begin with.
    ///   - known: The window's first tokens, in place of a prefix, where its text is only to be continued.
    init(
        _ tokenizer: Tokenizer, sequence: [Int], context: Int, previous: ArraySlice<Int>, hotwords: String?,
        prefix: String?, known: [Int] = [], withoutTimestamps: Bool
    ) {
        let limit = Self.previousLimit(context: context)
        let special = tokenizer.specialTokens
        func encode(_ text: String) -> ArraySlice<Int> {
            tokenizer.encode(" " + text.trimmingWhitespace).prefix(limit)
        }
        let prefix = prefix?.isEmpty == true || !known.isEmpty ? nil : prefix
        let expected = prefix == nil && hotwords?.isEmpty == false ? hotwords.map(encode) ?? [] : []
        tokens = previous.isEmpty && expected.isEmpty ? [] : [special.startOfPrevious]
        tokens += expected
        tokens += previous.suffix(max(0, limit - known.count))
        startIndex = tokens.count
        tokens += sequence
        let forced = prefix.map { (withoutTimestamps ? [] : [special.timestampBegin]) + encode($0) } ?? known
        tokens += forced
        forcedCount = forced.count
    }
}

extension StringProtocol {
    /// The text without spaces and line breaks at its ends.
    var trimmingWhitespace: String {
        let start = drop { $0.isWhitespace }
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }
}
