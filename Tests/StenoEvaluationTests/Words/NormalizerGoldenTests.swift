import Foundation
import Steno
import StenoTestSupport
import Testing

@testable import StenoEvaluation

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
