import StenoCompute
import StenoCore
import StenoTestSupport
import Testing

@testable import StenoWhisper

/// The division of a context of 448 tokens, as in every Whisper model.
struct PromptBudgetTests {
    private let budget = PromptBudget(context: 448)

    private func prompt(previous: Int, hotwords: Int, forced: Int = 0, sequence: Int = 4) -> WindowPrompt {
        WindowPrompt(
            startOfPrevious: 1, sequence: Array(repeating: 2, count: sequence),
            previous: ArraySlice(repeatElement(3, count: previous)), hotwords: Array(repeating: 4, count: hotwords),
            forced: Array(repeating: 5, count: forced), budget: budget)
    }

    /// faster-whisper's prompts: each part has at most 223 tokens, and parts that fit together are unchanged.
    @Test(arguments: [(0, 0, 0), (223, 0, 224), (1000, 0, 224), (100, 100, 201), (0, 1000, 224), (223, 160, 384)])
    func partsThatFitAreFasterWhispers(previous: Int, hotwords: Int, before: Int) {
        #expect(prompt(previous: previous, hotwords: hotwords).startIndex == before)
    }

    /// Two full parts would be 451 tokens: the previous text is shortened, and 56 tokens remain for the text.
    @Test func thePreviousTextIsShortenedToFit() {
        let prompt = prompt(previous: 1000, hotwords: 1000)
        #expect(prompt.tokens.count == 448 - 56)
        #expect(prompt.tokens.count { $0 == 4 } == 223)
        #expect(prompt.tokens.count { $0 == 3 } == 448 - 56 - 4 - 1 - 223)
    }

    /// Whatever the parts, the prompt fits and leaves room for text.
    @Test func everyPromptLeavesRoom() {
        for previous in [0, 1, 100, 223, 400, 5000] {
            for hotwords in [0, 1, 100, 223, 400, 5000] {
                for forced in [0, 1, 100, 224, 300] {
                    let prompt = prompt(previous: previous, hotwords: hotwords, forced: forced)
                    let limit = budget.textLimit(prompt: prompt.tokens.count, forced: forced, maxNewTokens: nil)
                    #expect(prompt.tokens.count + 1 <= 448)
                    #expect(limit >= 1 && limit <= 224)
                    #expect(prompt.tokens.count - forced - 1 + limit <= 448)
                }
            }
        }
    }

    @Test(arguments: [446, 1000, Int.max]) func aLimitThatCanNeverFitIsRejected(limit: Int) {
        expectError(.invalidOption) {
            try PromptBudget(context: 448, maxNewTokens: limit).check(sequence: 3, forced: 0)
        }
        #expect(throws: Never.self) { try PromptBudget(context: 448, maxNewTokens: 445).check(sequence: 3, forced: 0) }
    }

    /// A transcription is rejected before it starts, not after its text has grown.
    @Test func aRequestFailsBeforeItStarts() throws {
        let model = try SmallModel.load()
        var options = TranscriptionOptions(language: "en")
        options.whisper.maxNewTokens = 62
        #expect(throws: StenoError.self) { try TranscriptionPlan(model, options) }
        options.whisper.maxNewTokens = 61
        #expect(throws: Never.self) { try TranscriptionPlan(model, options) }
        options.whisper.prefix = String(repeating: "q", count: 100)
        #expect(throws: StenoError.self) { try TranscriptionPlan(model, options) }
    }

    /// A user's long `--initial-prompt` and `--hotwords` crashed a live session.
    @Test func anUtteranceWithLongPromptsIsDecoded() throws {
        let model = try SmallModel.load()
        let decoder = try UtteranceDecoder(model)
        let request = UtteranceSearch(
            context: decoder.tokens(of: String(repeating: "zebra ", count: 300)), language: "en",
            hotwords: String(repeating: "q", count: 10_000))
        #expect(try decoder.decode([Float](repeating: 0.1, count: 16_000), request).language.language == "en")
    }

    /// A user's transcription failed halfway, once its text had grown.
    @Test func aLongRecordingWithLongHotwordsRunsToItsEnd() throws {
        let model = try SmallModel.load()
        var options = TranscriptionTests.options { _ in }
        options.vocabulary = [String(repeating: "q", count: 10_000)]
        options.prompt = String(repeating: "zebra ", count: 300)
        options.whisper.conditionOnPreviousText = true
        let audio = TranscriptionTests.noise(seconds: 9)
        #expect(try model.transcribe(ArraySampleSource(audio), options: options).duration == 9)
    }
}

/// Prompts in a context of 64 tokens, which limits each part to 31.
struct WindowPromptTests {
    let tokenizer: Tokenizer
    let sequence: [Int]
    var special: SpecialTokens { tokenizer.specialTokens }

    init() throws {
        tokenizer = try SmallModel.with { try Tokenizer(vocabulary: Vocabulary.load(folder: $0)) }
        sequence = try tokenizer.sotSequence(language: "en", task: .transcribe, withoutTimestamps: false)
    }

    func prompt(
        previous: [Int] = [], hotwords: String? = nil, prefix: String? = nil, known: [Int] = [],
        withoutTimestamps: Bool = false
    ) -> WindowPrompt {
        let limit = PromptBudget.partLimit(context: 64)
        let prefixed = tokenizer.prefixTokens(prefix, withoutTimestamps: withoutTimestamps, limit: limit)
        let forced = known.isEmpty ? prefixed : known
        return WindowPrompt(
            startOfPrevious: special.startOfPrevious, sequence: sequence,
            previous: previous.suffix(limit - known.count),
            hotwords: forced.isEmpty ? tokenizer.hotwordTokens(hotwords) : [],
            forced: forced, budget: PromptBudget(context: 64))
    }

    @Test func nothingBeforeTheFirstWindow() {
        let prompt = prompt()
        #expect(prompt.tokens == sequence)
        #expect(prompt.startIndex == 0)
        #expect(prompt.forcedCount == 0)
    }

    @Test func theTextSoFar() {
        let prompt = prompt(previous: [1, 2, 3])
        #expect(prompt.tokens == [special.startOfPrevious, 1, 2, 3] + sequence)
        #expect(prompt.startIndex == 4)
    }

    @Test func onlyTheEndOfALongTextIsUsed() {
        #expect(prompt(previous: Array(0..<100)).tokens == [special.startOfPrevious] + Array(69..<100) + sequence)
        #expect(PromptBudget.partLimit(context: 448) == 223)
        let words = String(repeating: "q", count: 100)
        let all = tokenizer.encode(" " + words)
        #expect(all.count > 31)
        #expect(prompt(hotwords: words).tokens == [special.startOfPrevious] + all.prefix(31) + sequence)
    }

    /// The continuation of a window's text: its known tokens replace the prefix and the oldest text.
    @Test func knownTokensAreForced() {
        let known = [special.timestampBegin, 5, special.timestampBegin + 10, special.timestampBegin + 10]
        let prompt = prompt(previous: Array(0..<100), prefix: "Hello", known: known)
        #expect(prompt.tokens == [special.startOfPrevious] + Array(73..<100) + sequence + known)
        #expect(prompt.startIndex == 28)
        #expect(prompt.forcedCount == 4)
    }

    @Test func hotwordsComeBeforeTheText() {
        let prompt = prompt(previous: [7], hotwords: " \n zebra\t")
        let expected = tokenizer.encode(" zebra")
        #expect(prompt.tokens == [special.startOfPrevious] + expected + [7] + sequence)
        #expect(prompt.startIndex == expected.count + 2)
    }

    @Test func aPrefixReplacesHotwords() {
        let prompt = prompt(previous: [7], hotwords: "zebra", prefix: " Hello ")
        let forced = [special.timestampBegin] + tokenizer.encode(" Hello")
        #expect(prompt.tokens == [special.startOfPrevious, 7] + sequence + forced)
        #expect(prompt.forcedCount == forced.count)
        #expect(self.prompt(hotwords: "zebra", prefix: "Hello").tokens == sequence + forced)
    }

    @Test func aPrefixWithoutTimestampsHasNoFirstTime() {
        #expect(prompt(prefix: "Hello", withoutTimestamps: true).tokens == sequence + tokenizer.encode(" Hello"))
    }

    @Test func onlyTheStartOfALongPrefixIsUsed() {
        let text = String(repeating: "q", count: 100)
        #expect(prompt(prefix: text).forcedCount == 32)
        #expect(prompt(prefix: text, withoutTimestamps: true).forcedCount == 31)
    }

    @Test func whitespaceIsTrimmed() {
        #expect(" \t a b\n".trimmingWhitespace == "a b")
        #expect("".trimmingWhitespace.isEmpty)
        #expect(" \n ".trimmingWhitespace.isEmpty)
    }
}
