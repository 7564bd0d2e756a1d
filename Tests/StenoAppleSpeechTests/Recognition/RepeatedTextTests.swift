import Testing

@testable import StenoAppleSpeech

struct RepeatedTextTests {
    private func rest(_ text: String, after earlier: String) -> String? {
        RepeatedText.end(of: earlier, in: text).map { String(text[$0...]) }
    }

    @Test func capitalsAndPunctuationMakeNoDifference() {
        #expect(rest("Good morning, everyone. How are you?", after: "good morning everyone") == " How are you?")
        #expect(rest("Good morning everyone.", after: "good morning everyone") == "")
    }

    @Test func aCorrectedWordIsStillARepetition() {
        #expect(rest("Add two tease and a cake. Then go.", after: "add two teas and a cake") == " Then go.")
        #expect(rest("Add two teas and a cape then go", after: "add two teas and a cake") == " then go")
    }

    @Test func otherTextIsNoRepetition() {
        #expect(rest("then coffee", after: "add two teas and a cake") == nil)
        #expect(rest("no", after: "yes") == nil)
        #expect(rest("", after: "yes") == nil && rest("yes", after: "") == nil)
    }

    @Test func scriptsWithoutSpacesAreComparedByCharacter() {
        #expect(rest("今日は、いい天気です。明日も", after: "今日はいい天気です") == "明日も")
    }

    @Test func aTextIsCutAfterLetters() {
        let text = "Hello, world. Bye"
        #expect(text[..<RepeatedText.index(in: text, afterLetters: 5)] == "Hello,")
        #expect(text[..<RepeatedText.index(in: text, afterLetters: 10)] == "Hello, world.")
        #expect(text[..<RepeatedText.index(in: text, afterLetters: 99)] == text)
        #expect(text[..<RepeatedText.end(of: 0.7, in: text)] == "Hello, world.")
    }
}
