import StenoCompute
import StenoCore
import StenoTestSupport
import Testing

@testable import StenoWhisper

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
    }

    /// The continuation of a window's text: its known tokens replace the prefix and the oldest text.
    @Test func knownTokensAreForced() {
        let known = [special.timestampBegin, 5, special.timestampBegin + 10, special.timestampBegin + 10]
        let prompt = prompt(previous: Array(0..<100), prefix: "Hello", known: known)
        #expect(prompt.tokens == [special.startOfPrevious] + Array(73..<100) + sequence + known)
        #expect(prompt.startIndex == 28)
        #expect(prompt.forcedCount == 4)
    }

    @Test func onlyTheStartOfManyHotwordsIsUsed() {
        let words = String(repeating: "q", count: 100)
        let all = tokenizer.encode(" " + words)
        #expect(all.count > 31)
        #expect(prompt(hotwords: words).tokens == [special.startOfPrevious] + all.prefix(31) + sequence)
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
