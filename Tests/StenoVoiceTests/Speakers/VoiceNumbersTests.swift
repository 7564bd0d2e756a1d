import Testing

@testable import StenoVoice

/// The numbers of voices that are found again and again.
struct VoiceNumbersTests {
    @Test func aVoiceKeepsTheNumberThatMostOfItsMembersHad() {
        var numbering = VoiceNumbers()
        let first = numbering.numbers(of: [0, 0, 1], had: [0, 0, 0], count: 2)
        #expect(first == [0, 1], "of two that had one number, the larger keeps it")
        let swapped = numbering.numbers(of: [1, 1, 0], had: [0, 0, 1], count: 2)
        #expect(swapped == [1, 0])
        let three = numbering.numbers(of: [0, 2, 2, 1], had: [1, 0, 0, 0], count: 3)
        #expect(three == [1, 2, 0])
        let more = numbering.numbers(of: [0, 1], had: [0, 0], count: 3)
        #expect(more == [0, 3, 4], "a number is never given again, and a voice without members has one")
    }
}
