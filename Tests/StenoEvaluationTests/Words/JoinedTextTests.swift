import Testing

@testable import StenoEvaluation

struct JoinedTextTests {
    @Test(arguments: [
        (["Hello world", "next one."], "Hello world next one."), ([" Hello", " world."], " Hello world."),
        (["Hello ", "", "world"], "Hello world"), (["今天", "天气很好。", "是"], "今天天气很好。是"), (["สวัสดี", "ครับ"], "สวัสดีครับ"),
        (["좋은", "아침"], "좋은 아침"), (["नमस्ते", "दुनिया"], "नमस्ते दुनिया"), ([], ""),
    ])
    func wordsDoNotGrowTogether(_ parts: [String], _ text: String) { #expect(parts.joinedAsText() == text) }
}
