import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore

/// Where a hypothesis continues the final words, however it changes them.
struct HypothesisSeamTests {
    /// The words of a text, one every 0.4 s; a mark is a word of its own, without a length.
    private func words(_ text: String, from start: Double = 0) -> [LiveWord] {
        var time = start
        return text.split(separator: " ").map { part in
            let isMark = !part.contains { $0.isLetter || $0.isNumber }
            defer { if !isMark { time += 0.4 } }
            return LiveWord(
                UtteranceWord(
                    text: isMark ? String(part) : " \(part)", handle: [1], start: time,
                    end: isMark ? time : time + 0.3), origin: 0)
        }
    }

    private func rest(_ hypothesis: String, after final: String) -> String {
        let all = words(hypothesis)
        return all[HypothesisSeam.index(in: all, after: words(final))...].map(\.text).joined()
    }

    @Test(arguments: [
        // The same words, with other marks and capitals.
        ("Ask not what your country", "ask not", " what your country"),
        ("Ask not , what your", "ask not", ", what your"),
        // A final word that has changed by now.
        ("and yet let me tell you", "and yeah let", " me tell you"),
        ("fortunately Warner and the rest", "fortunately one", " and the rest"),
        // Nothing is final, or nothing is new.
        ("one two", "", " one two"),
        ("one two", "one two", ""),
        // The hypothesis does not have all of the final words yet.
        ("one", "one two three", ""),
    ])
    func theRestFollowsTheFinalWords(hypothesis: String, final: String, expected: String) {
        #expect(rest(hypothesis, after: final) == expected)
    }

    /// Two words that were one and one that was two, which end at the same time.
    @Test func wordsMayBeDividedDifferently() {
        func words(_ timed: [(String, Double)]) -> [LiveWord] {
            timed.map { LiveWord(UtteranceWord(text: " " + $0, handle: [1], start: $1 - 0.2, end: $1), origin: 0) }
        }
        let stitch = words([("a", 1), ("stitch", 1.3), ("in", 1.5), ("time", 1.8), ("saves", 2.2)])
        #expect(HypothesisSeam.index(in: stitch, after: words([("a", 1), ("stitching", 1.5), ("time", 1.8)])) == 4)
        let former = words([("the", 1), ("former", 1.5), ("voracity", 2), ("had", 2.2)])
        #expect(HypothesisSeam.index(in: former, after: words([("the", 1), ("form", 1.3), ("of", 1.5)])) == 2)
    }

    /// The same phrase comes twice: the time says which of the two is final.
    @Test func aRepeatedPhraseIsFoundByItsTime() {
        let hypothesis = words("hold fast hold fast hold out")
        let index = { HypothesisSeam.index(in: hypothesis, after: $0) }
        #expect(index(words("hold fast")) == 2)
        #expect(index(words("hold fast hold fast")) == 4)
        #expect(index(words("cold past hold fast")) == 4)
    }

    /// A decoding that ends too soon, with other words, has nothing newer than the last final words.
    @Test func aDecodingThatEndsTooSoonHasNothingNew() {
        let final = words("the oldest story of the people in the land is also in perfect accord with the picture")
        let heard = words("the oldest story about a people of this land")
        #expect(HypothesisSeam.index(in: heard, after: final) == heard.count)
    }

    /// Words of later audio are not taken for final ones, however similar they are.
    @Test func laterWordsStay() {
        let final = words("never say never")
        let heard = words("again", from: 1.1) + words("never say never", from: 4)
        #expect(HypothesisSeam.index(in: heard, after: final) <= 1)
    }

    /// Long texts are compared at their end.
    @Test func aLongTextIsFoundWhateverItsBeginning() {
        let long = (0..<30).map { "word\($0)" }
        var changed = long
        changed[2] = "other"
        let hypothesis = words((changed + ["and", "more"]).joined(separator: " "))
        #expect(HypothesisSeam.index(in: hypothesis, after: words(long.joined(separator: " "))) == 30)
    }

    /// A wrong word among the final ones or after them does not move the seam.
    @Test(arguments: seeds(100)) func aWrongWordDoesNotMoveTheSeam(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let all = (0..<20).map { _ in
            String(
                (0..<Int.random(in: 2...8, using: &random)).map { _ in "abcdefgh".randomElement(using: &random) ?? "a" }
            )
        }
        let count = Int.random(in: 1...15, using: &random)
        var changed = all
        let wrong = Int.random(in: 0..<20, using: &random)
        changed[wrong] = "zz"
        let index = HypothesisSeam.index(
            in: words(changed.joined(separator: " ")), after: words(all[..<count].joined(separator: " ")))
        #expect(index == count)
    }

    @Test func similarityIsTheShareOfLettersInOrder() {
        #expect(HypothesisSeam.similarity("noise", "noise") == 1)
        #expect(HypothesisSeam.similarity("noise", "noisiest") > 0.7)
        #expect(HypothesisSeam.similarity("ab", "xy") == 0)
        #expect(HypothesisSeam.similarity("", "") == 0)
    }
}
