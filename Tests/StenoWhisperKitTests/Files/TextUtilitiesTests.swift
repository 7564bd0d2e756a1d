import Testing

@testable import StenoWhisperKit

/// Compression ratios of text and of tokens.
struct TextUtilitiesTests {
    @Test func repetitionsHaveAHighRatio() {
        #expect(TextUtilities.compressionRatio(of: String(repeating: "thank you ", count: 50)) > 10)
        #expect(TextUtilities.compressionRatio(of: "A sentence of an ordinary kind.") < 1.5)
        #expect(TextUtilities.compressionRatio(of: [Int](repeating: 50_000, count: 60)) > 2.4)
        #expect(TextUtilities.compressionRatio(of: (1...60).map { $0 * 7_919 % 50_257 }) < 2.4)
        #expect(TextUtilities.compressionRatio(of: [-1, .max]) > 0)
    }

    @Test func emptyInputHasNoRatio() {
        #expect(TextUtilities.compressionRatio(of: "") == .infinity)
        #expect(TextUtilities.compressionRatio(of: [Int]()) == .infinity)
    }
}
