import StenoCore
import StenoTestSupport
import Testing

@testable import StenoFastConformer

struct FastConformerFeaturesTests {
    private static func rows(_ samples: [Float], bands: Int, pieces: [Int] = []) throws -> [Float] {
        var stream = try FeatureStream(FastConformerFeatures(melCount: bands))
        var rows: [Float] = [], start = 0
        for piece in pieces {
            let end = min(start + piece, samples.count)
            try samples[start..<end].withUnsafeBufferPointer { try stream.append($0, isLast: false, to: &rows) }
            start = end
        }
        try samples[start...].withUnsafeBufferPointer { try stream.append($0, isLast: true, to: &rows) }
        return rows
    }

    @Test func equalsTransformers() throws {
        let goldens = try FastConformerGoldens.shared.get()
        for golden in goldens.features {
            let samples = FastConformerGoldens.audio(seed: goldens.featureSeed, count: golden.samples)
            var rows = try Self.rows(samples, bands: golden.bands)
            if golden.normalized { FastConformerFeatures.normalize(&rows, bands: golden.bands) }
            try #require(rows.count == golden.frames * golden.bands)
            let mean = rows.reduce(0) { $0 + Double($1) } / Double(rows.count)
            #expect(abs(mean - golden.mean) < 1e-5)
            let excerpt = stride(from: 0, to: golden.frames, by: golden.step).flatMap { frame in
                stride(from: 0, to: golden.bands, by: 3).map { rows[frame * golden.bands + $0] }
            }
            #expect(largestDistance(excerpt, goldens.values(golden.rows)) < 1e-4, "\(golden.samples) samples")
        }
    }

    @Test func frameCountIsThatOfWholeHops() throws {
        for (samples, frames) in [(0, 0), (1, 0), (159, 0), (160, 1), (319, 1), (320, 2), (16_000, 100)] {
            let rows = try Self.rows([Float](repeating: 0.1, count: samples), bands: 80)
            #expect(rows.count == 80 * frames)
        }
    }

    @Test func doesNotDependOnThePieces() throws {
        var random = SplitMix64(seed: 1)
        let samples = FastConformerGoldens.audio(seed: 1, count: 9_321)
        let whole = try Self.rows(samples, bands: 128)
        for longest in [3, 150, 170, 2_000] {
            let pieces = (0..<9_321 / longest).map { _ in Int.random(in: 0...longest, using: &random) }
            #expect(try Self.rows(samples, bands: 128, pieces: pieces) == whole)
        }
    }

    /// A single frame has no deviation.
    @Test func normalizesOneFrameToZeros() {
        var rows: [Float] = [1, 2, 3]
        FastConformerFeatures.normalize(&rows, bands: 3)
        #expect(rows == [0, 0, 0])
    }

    @Test(arguments: [Float.nan, .infinity]) func refusesSamplesThatAreNotFinite(sample: Float) throws {
        let error = try #require(throws: StenoError.self) {
            _ = try Self.rows([0, 0, sample], bands: 80)
        }
        #expect(error.code == .audioDamaged)
        #expect(error.message.contains("Sample 2"))
    }
}
