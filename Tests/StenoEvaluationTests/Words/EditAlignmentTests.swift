import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoEvaluation

/// Equality with jiwer (`Tools/goldens/make_wer_goldens.py`), and properties without goldens.
@Suite struct EditAlignmentTests {
    private struct Goldens: Decodable {
        struct Pair: Decodable {
            let said: String
            let heard: String
            let words: [Int]
            let characters: [Int]
        }
        struct Total: Decodable {
            let wer: Double
            let cer: Double
        }
        let total: Total
        let pairs: [Pair]
    }

    private static let goldens = Result {
        try JSONDecoder().decode(Goldens.self, from: Data(contentsOf: Fixtures.file("evaluation/errors.json")))
    }

    private func counts(_ numbers: [Int]) -> ErrorCounts {
        ErrorCounts(hits: numbers[0], substitutions: numbers[1], deletions: numbers[2], insertions: numbers[3])
    }

    /// Even if shortest paths have different counts, since the choice among them is the same.
    @Test func aThousandPairsHaveJiwersCounts() throws {
        let goldens = try Self.goldens.get()
        #expect(goldens.pairs.count == 1000)
        var words: [ErrorCounts] = []
        var characters: [ErrorCounts] = []
        for pair in goldens.pairs {
            words.append(
                EditAlignment(reference: pair.said.split(separator: " "), hypothesis: pair.heard.split(separator: " "))
                    .counts)
            characters.append(
                EditAlignment(reference: CodePoints(pair.said), hypothesis: CodePoints(pair.heard)).counts)
            #expect(words.last == counts(pair.words), "\(pair.said) | \(pair.heard)")
            #expect(characters.last == counts(pair.characters), "\(pair.said) | \(pair.heard)")
        }
        #expect(words.total().rate == goldens.total.wer)
        #expect(characters.total().rate == goldens.total.cer)
    }

    @Test func smallAlignmentsAreReadable() {
        let alignment = EditAlignment(
            reference: ["the", "ferry", "leaves", "at", "dawn"], hypothesis: ["ferry", "leaves", "it", "dawn", "so"])
        #expect(alignment.steps == [.deletion, .hit, .hit, .substitution, .hit, .insertion])
    }

    @Test func emptyTexts() {
        let nothing: [String] = []
        #expect(EditAlignment(reference: nothing, hypothesis: nothing).counts.rate == 0)
        let insertions = EditAlignment(reference: nothing, hypothesis: ["you", "you"]).counts
        #expect(insertions == ErrorCounts(insertions: 2))
        #expect(insertions.rate == nil)
        #expect(EditAlignment(reference: ["a", "b"], hypothesis: nothing).counts == ErrorCounts(deletions: 2))
    }

    /// The smallest table forces every split; the distance stays the shortest.
    @Test func splittingKeepsTheDistance() {
        var random = SplitMix64(seed: 5)
        for _ in 0..<300 {
            let said = (0..<Int.random(in: 0...150, using: &random)).map { _ in Int.random(in: 0..<6, using: &random) }
            let heard = (0..<Int.random(in: 0...150, using: &random)).map { _ in Int.random(in: 0..<6, using: &random) }
            var split = EditAligner(maximumTableSize: 1)
            split.align(said[...], heard[...])
            var whole = EditAligner()
            whole.align(said[...], heard[...])
            #expect(split.steps.count { $0 != .hit } == distance(said, heard))
            #expect(whole.steps.count { $0 != .hit } == distance(said, heard))
            #expect(leadsThrough(split.steps, said, heard))
            #expect(leadsThrough(whole.steps, said, heard))
        }
    }

    @Test func longTextsAreQuick() {
        var random = SplitMix64(seed: 7)
        let said = (0..<20_000).map { _ in Int.random(in: 0..<2_000, using: &random) }
        let heard = said.map { Int.random(in: 0..<10, using: &random) == 0 ? -1 : $0 }
        let wrong = zip(said, heard).count { $0 != $1 }
        #expect(EditAlignment(reference: said, hypothesis: heard).counts.errors == wrong)
    }

    /// Whether the steps cover both texts and match their items.
    private func leadsThrough(_ steps: [EditAlignment.Step], _ said: [Int], _ heard: [Int]) -> Bool {
        var (row, place) = (0, 0)
        for step in steps {
            switch step {
            case .hit, .substitution:
                guard row < said.count, place < heard.count, (said[row] == heard[place]) == (step == .hit) else {
                    return false
                }
                (row, place) = (row + 1, place + 1)
            case .deletion: row += 1
            case .insertion: place += 1
            }
        }
        return row == said.count && place == heard.count
    }

    private func distance(_ said: [Int], _ heard: [Int]) -> Int {
        var row = Array(0...heard.count)
        for (index, symbol) in said.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in heard.indices {
                let substituted = diagonal + (symbol == heard[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(substituted, row[column] + 1, diagonal + 1)
            }
        }
        return row[heard.count]
    }
}

/// Equality with openai-whisper's normalisers (`Tools/goldens/make_normalizer_goldens.py`).
@Suite struct NormalizerGoldenTests {
    private struct Row: Decodable {
        let text: String
        let english: String
        let basic: String
        let without_diacritics: String
        let letters: String
    }

    private static let rows = Result {
        try JSONDecoder().decode([Row].self, from: Data(contentsOf: Fixtures.file("evaluation/normalizers.json")))
    }

    /// Compares code points, since `==` treats composed and decomposed letters as equal.
    private func expectEqual(_ normalizer: any TextNormalizer, _ expected: KeyPath<Row, String>) throws {
        let rows = try Self.rows.get()
        #expect(rows.count > 1000)
        for row in rows {
            let result = normalizer.normalize(row.text)
            #expect(
                Array(result.unicodeScalars) == Array(row[keyPath: expected].unicodeScalars),
                "\(row.text.debugDescription)")
        }
    }

    @Test func english() throws { try expectEqual(EnglishTextNormalizer(), \.english) }

    @Test func basic() throws { try expectEqual(BasicTextNormalizer(), \.basic) }

    @Test func basicWithoutDiacritics() throws {
        try expectEqual(BasicTextNormalizer(removeDiacritics: true), \.without_diacritics)
    }

    @Test func basicWithEveryLetterAWord() throws {
        try expectEqual(BasicTextNormalizer(splitLetters: true), \.letters)
    }

    @Test func numbersMayBeOfAnySize() throws {
        let text = "nine hundred ninety nine decillion " + String(repeating: "9", count: 5000) + " thousand"
        let first = "999" + String(repeating: "0", count: 33)
        // Only the part below a thousand is multiplied.
        let second = "1" + String(repeating: "0", count: 4994) + "998000"
        #expect(try EnglishTextNormalizer().normalize(text) == first + " " + second)
    }
}
