import Testing

@testable import StenoAppleSpeech

struct RepeatedTextTests {
    @Test(
        arguments: [
            // Capitals and punctuation make no difference, nor does a corrected word.
            ("Good morning, everyone. How are you?", "good morning everyone", " How are you?"),
            ("Good morning everyone.", "good morning everyone", ""),
            ("Add two tease and a cake. Then go.", "add two teas and a cake", " Then go."),
            ("Add two teas and a cape then go", "add two teas and a cake", " then go"),
            ("then coffee", "add two teas and a cake", nil), ("no", "yes", nil), ("", "yes", nil), ("yes", "", nil),
            // Scripts without spaces are compared by character.
            ("今日は、いい天気です。明日も", "今日はいい天気です", "明日も"),
        ] as [(String, String, String?)]) func theRestFollowsARepetition(text: String, earlier: String, rest: String?)
    {
        #expect(RepeatedText.end(of: earlier, in: text).map { String(text[$0...]) } == rest)
    }

    @Test func aTextIsCutAfterLetters() {
        let text = "Hello, world. Bye"
        #expect(text[..<RepeatedText.index(in: text, afterLetters: 5)] == "Hello,")
        #expect(text[..<RepeatedText.index(in: text, afterLetters: 10)] == "Hello, world.")
        #expect(text[..<RepeatedText.index(in: text, afterLetters: 99)] == text)
        #expect(text[..<RepeatedText.end(of: 0.7, in: text)] == "Hello, world.")
    }
}
