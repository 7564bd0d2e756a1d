import StenoCommandLine
import Testing

struct TerminalTextTests {
    private let malicious = "Lunch\u{1B}]0;x\u{07}\n3f2a91b0\t09:00\u{9B}2J\u{7F}"

    @Test func aTextStaysOnItsLineAndCommandsNothing() {
        let harmless = "Lunch\u{FFFD}]0;x\u{FFFD} 3f2a91b0 09:00\u{FFFD}2J\u{FFFD}"
        #expect(TerminalText.line(malicious) == harmless)
        #expect(TerminalText.message(malicious) == "steno: \(harmless)\n")
        #expect(TerminalText.line("exe\u{202E}gpj\u{202D}") == "exe\u{FFFD}gpj\u{FFFD}")
        #expect(TerminalText.line("Zoë, 今日は 👩‍👩‍👧 \u{200F}") == "Zoë, 今日は 👩‍👩‍👧 \u{200F}")
    }

    @Test func aTextOfSeveralLinesKeepsThem() {
        #expect(TerminalText.lines(malicious) == "Lunch\u{FFFD}]0;x\u{FFFD}\n3f2a91b0\t09:00\u{FFFD}2J\u{FFFD}")
    }
}
