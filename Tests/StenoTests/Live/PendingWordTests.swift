import StenoCore
import Testing

@testable import Steno

/// The evidence that a word takes over from the decodings before.
struct PendingWordTests {
    /// Words with their starts in seconds, 0.2 s long.
    private func words(_ timed: (String, Double)...) -> [LiveWord] {
        timed.map { LiveWord(UtteranceWord(text: $0, handle: [], start: $1, end: $1 + 0.2), origin: 0) }
    }

    private func counts(_ decodings: [LiveWord]...) -> [Int] {
        var pending: [PendingWord] = []
        for (index, words) in decodings.enumerated() { pending = pending.updated(with: words, heardTo: index) }
        return pending.map(\.count)
    }

    @Test func decodingsThatAgreeAddUp() {
        let text = words((" one", 0), (" two", 0.3))
        #expect(counts(text, text, text) == [3, 3])
        #expect(counts(text, words((" one", 0), (" too", 0.3)), text) == [3, 1], "only in a row")
        let marked = words((" One", 0.1), (",", 0.3), (" two", 0.4))
        #expect(counts(text, marked) == [2, 1, 2], "without marks and capitals")
        let preceded = words((" a", 0), (" one", 0.2), (" two", 0.4))
        #expect(counts(text, preceded) == [1, 2, 2], "whatever precedes it")
    }

    @Test func theSameTextAtAnotherTimeIsAnotherWord() {
        #expect(counts(words((" no", 0)), words((" no", 1))) == [1])
    }

    /// "No, no": that there is one "no" says nothing about the other.
    @Test func aWordIsEvidenceForOneWordOnly() {
        #expect(counts(words((" no", 0)), words((" no", 0), (" no", 0.3))) == [2, 1])
        let twice = words((" no", 0), (" no", 0.3))
        #expect(counts(twice, twice) == [2, 2])
    }
}
