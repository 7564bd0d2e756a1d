import Testing

@testable import StenoSpeakers

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

    @Test func ofTheOlderMembersThoseWorthItStay() {
        // Voice 1 has 16 old members, of which every fourth is worth keeping; 40 of voice 0 follow.
        let numbers = [Int](repeating: 1, count: 16) + [Int](repeating: 0, count: 40)
        let kept = VoiceNumbers.kept(numbers, limit: (all: 50, latest: 20), least: 6) { $0 >= 16 || $0 % 4 == 1 }
        #expect(kept.filter { numbers[$0] == 1 } == [1, 5, 9, 13], "four are few, so all of them stay")
        let older = kept.filter { numbers[$0] == 0 && $0 < 36 }
        #expect(older == Array(stride(from: 16, to: 36, by: 2)), "of many, every second")
        #expect(kept.suffix(20).elementsEqual(36..<56), "and the latest")
    }
}
