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

        /// Computed data, which would make the file long.
        struct Series: Decodable {
            var alphabet: UInt64
            var width: Int
            var count: Int
            var compressed: Int

            /// The output of `series` in Tools/goldens/make_compression_goldens.py.
            var bytes: [UInt8] {
                var state: UInt64 = 0
                var bytes: [UInt8] = []
                for _ in 0..<count {
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    let value = state >> 33
                    let number = alphabet > 1 ? value % alphabet : UInt64(value.trailingZeroBitCount + 1)
                    for place in 0..<width { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * place))) }
                }
                return bytes
            }
        }

        var cases: [Case]
        var series: [Series]
    }

    private let goldens: Goldens

    init() throws {
        let data = try Data(contentsOf: Fixtures.file("compression/ratios.json"))
        goldens = try JSONDecoder().decode(Goldens.self, from: data)
    }

    /// Byte-identical sizes, because the threshold of 2.4 decides whether a window is decoded again.
    @Test func equalsPython() {
        #expect(goldens.cases.count > 10)
        for golden in goldens.cases {
            #expect(CompressionRatio.of(golden.text) == golden.bytes / golden.compressed, "\(golden.text.prefix(40))")
        }
        // Several blocks of different kinds, matches that have left the window, and codes that are too long.
        #expect(goldens.series.count >= 5)
        for series in goldens.series {
            #expect(ZlibLength.of(series.bytes) == series.compressed, "\(series.count) values below \(series.alphabet)")
        }
        #expect(CompressionRatio.of("") == 0)
    }

    @Test func lengthsFollowTheFormat() {
        // The header, the checksum and the end of a block of fixed codes; then literals of eight bits.
        #expect(ZlibLength.of([]) == 8)
        #expect(ZlibLength.of([97]) == 9)
        #expect(ZlibLength.of([97, 98]) == 10)
        // Only zeros: a literal, and matches of 258 bytes.
        #expect(ZlibLength.of([UInt8](repeating: 0, count: 1_000)) == 17)
    }
}
