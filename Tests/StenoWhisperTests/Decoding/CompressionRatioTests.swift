import Foundation
import StenoTestSupport
import Testing

@testable import StenoWhisper

struct CompressionRatioTests {
    private struct Goldens: Decodable {
        struct Case: Decodable {
            var text: String
            var bytes: Double
            var compressed: Double
        }

        var cases: [Case]
    }

    /// Byte-identical sizes, because the threshold of 2.4 decides whether a window is decoded again.
    @Test func equalsPythons() throws {
        let data = try Data(contentsOf: Fixtures.file("compression/ratios.json"))
        let cases = try JSONDecoder().decode(Goldens.self, from: data).cases
        #expect(cases.count > 10)
        for golden in cases {
            #expect(CompressionRatio.of(golden.text) == golden.bytes / golden.compressed, "\(golden.text.prefix(40))")
        }
    }

    @Test func emptyTextHasRatioZero() { #expect(CompressionRatio.of("") == 0) }
}
