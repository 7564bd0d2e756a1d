import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoEvaluation

/// Equality with jiwer (`Tools/goldens/make_wer_goldens.py`), and properties without goldens.
@Suite struct EditAlignmentTests {
    /// Even if shortest paths have different counts, since the choice among them is the same.
    @Test func aThousandPairsHaveJiwersCounts() throws {
        let goldens = try ErrorGoldens.load()
        #expect(goldens.pairs.count == 1000)
        var words: [ErrorCounts] = []
        var characters: [ErrorCounts] = []
        for pair in goldens.pairs {
            words.append(
                EditAlignment(reference: pair.said.split(separator: " "), hypothesis: pair.heard.split(separator: " "))
                    .counts)
            characters.append(
                EditAlignment(reference: CodePoints(pair.said), hypothesis: CodePoints(pair.heard)).counts)
            #expect(words.last == ErrorCounts(pair.words), "\(pair.said) | \(pair.heard)")
            #expect(characters.last == ErrorCounts(pair.characters), "\(pair.said) | \(pair.heard)")
        }
        #expect(words.total().rate == goldens.total.wer)
        #expect(characters.total().rate == goldens.total.cer)
    }

    @Test func smallAlignmentsAreReadable() {
        let alignment = EditAlignment(
            reference: ["the", "ferry", "leaves", "at", "dawn"], hypothesis: ["ferry", "leaves", "it", "dawn", "so"])
        #expect(alignment.steps == [.deletion, .hit, .hit, .substitution, .hit, .insertion])
        let nothing: [String] = []
        #expect(EditAlignment(reference: nothing, hypothesis: nothing).counts.rate == 0)
        let insertions = EditAlignment(reference: nothing, hypothesis: ["you", "you"]).counts
        #expect(insertions == ErrorCounts(insertions: 2) && insertions.rate == nil)
        #expect(EditAlignment(reference: ["a", "b"], hypothesis: nothing).counts == ErrorCounts(deletions: 2))
    }

    /// The smallest table forces every split; the distance stays the shortest.
    @Test func splittingKeepsTheDistance() {
        var random = SplitMix64(seed: 5)
        func text() -> [Int] {
            (0..<Int.random(in: 0...150, using: &random)).map { _ in Int.random(in: 0..<6, using: &random) }
        }
        for _ in 0..<300 {
            let (said, heard) = (text(), text())
            for var aligner in [EditAligner(maximumTableSize: 1), EditAligner()] {
                aligner.align(said[...], heard[...])
                #expect(aligner.steps.count { $0 != .hit } == distance(said, heard))
                #expect(leadsThrough(aligner.steps, said, heard))
            }
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

    /// Compares code points, since `==` treats composed and decomposed letters as equal.
    @Test func textsAreNormalizedAsByWhisper() throws {
        let rows = try JSONDecoder().decode(
            [Row].self, from: Data(contentsOf: Fixtures.file("evaluation/normalizers.json")))
        #expect(rows.count > 1000)
        for (normalizer, expected) in [
            (try EnglishTextNormalizer(), \.english), (BasicTextNormalizer(), \.basic),
            (BasicTextNormalizer(removeDiacritics: true), \.without_diacritics),
            (BasicTextNormalizer(splitLetters: true), \.letters),
        ] as [(any TextNormalizer, KeyPath<Row, String>)] {
            for row in rows {
                let (result, wanted) = (normalizer.normalize(row.text), row[keyPath: expected])
                #expect(result.unicodeScalars.elementsEqual(wanted.unicodeScalars), "\(row.text.debugDescription)")
            }
        }
    }

    @Test func numbersMayBeOfAnySize() throws {
        let text = "nine hundred ninety nine decillion " + String(repeating: "9", count: 5000) + " thousand"
        let first = "999" + String(repeating: "0", count: 33)
        // Only the part below a thousand is multiplied.
        let second = "1" + String(repeating: "0", count: 4994) + "998000"
        #expect(try EnglishTextNormalizer().normalize(text) == first + " " + second)
    }
}
