import Foundation
import StenoCore
import StenoTestSupport
import Testing

@testable import StenoFastConformer

/// The encoder against transformers, layer by layer.
struct FastConformerEncoderTests {
    /// float64 against transformers differs by 1 to 2e-6 of the largest value.
    private static let tolerance = 2e-5

    @Test(arguments: ["ctc", "ctc-wide", "rnnt", "tdt", "tdt-biased", "nemotron", "nemotron-prompts"])
    func wholeUtterancesAndChunks(name: String) throws {
        let tested = try GoldenModel(name)
        for encoding in tested.golden.encoder {
            let mel = tested.mel(encoding.frames)
            #expect((encoding.num_lookahead_tokens != nil) == name.hasPrefix("nemotron"))
            for (layers, output) in encoding.outputs.enumerated() {
                let frames: [Float]
                if let lookAhead = encoding.num_lookahead_tokens {
                    frames = try tested.stream(mel, lookAhead: lookAhead, layers: layers)
                } else {
                    frames = try tested.encode(mel, layers: layers)
                }
                let expected = tested.goldens.values(output)
                let largest = Double(expected.map(abs).max() ?? 0)
                #expect(
                    largestDistance(frames, expected) < Self.tolerance * largest,
                    "\(encoding.frames) rows after \(layers) layers")
            }
        }
    }

    /// Bit for bit: frames are final when their chunk is complete, whenever their rows arrive.
    @Test(arguments: [Precision.float32, .int8], [0, 1, 6]) func streamsAsAWhole(
        precision: Precision, lookAhead: Int
    ) throws {
        let tested = try GoldenModel("nemotron", precision: precision)
        var random = SplitMix64(seed: UInt64(lookAhead))
        // More than a pass, and a tail that ends within a chunk.
        let mel = FastConformerGoldens.mel(seed: 9, frames: 1_003, bands: tested.bands)
        let whole = try tested.stream(mel, lookAhead: lookAhead, layers: 3)
        #expect(whole.count == 127 * 64)
        for longest in [20, 300] {
            let pieces = (0..<1_003 / longest).map { _ in Int.random(in: 0...longest, using: &random) }
            #expect(try tested.stream(mel, lookAhead: lookAhead, layers: 3, pieces: pieces) == whole)
        }
    }

    @Test(arguments: ["ctc", "ctc-wide", "tdt-biased"]) func int8IsClose(name: String) throws {
        let (exact, rounded) = (try GoldenModel(name), try GoldenModel(name, precision: .int8))
        let layers = exact.model.configuration.layers, mel = exact.mel(200)
        for count in 0...layers {
            let similarity = try cosine(exact.encode(mel, layers: count), rounded.encode(mel, layers: count))
            #expect(similarity > 0.999, "after \(count) layers")
        }
    }

    @Test func threadsDoNotChangeTheResult() throws {
        let one = try GoldenModel("ctc", threads: 1) { _ in }, three = try GoldenModel("ctc", threads: 3) { _ in }
        #expect(try one.encode(one.mel(700), layers: 2) == three.encode(three.mel(700), layers: 2))
    }

    /// The kept encodings grow with the utterances, and long ones have their own.
    @Test func lengthsInAnyOrder() throws {
        let tested = try GoldenModel("ctc")
        func encode(_ frames: Int) throws -> [Float] { try tested.encode(tested.mel(frames), layers: 2) }
        let fresh = try encode(90)
        for frames in [300, 4_200, 8, 300] { #expect(try encode(frames).allSatisfy(\.isFinite)) }
        #expect(try encode(90) == fresh)
    }
}

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

    /// A real recording against NeMo's own features, as ONNX graphs that somebody else wrote from NeMo's sources.
    @Test func equalsNeMo() throws {
        struct Golden: Decodable {
            struct Features: Decodable { var bands: Int, frames: Int, rows: [Float] }
            var step: Int, band_step: Int, features: [Features]
        }
        let file = Fixtures.file("fastconformer/nemo-features.json")
        let golden = try JSONDecoder().decode(Golden.self, from: Data(contentsOf: file))
        for features in golden.features {
            var rows = try Self.rows(TestAudio.speech(), bands: features.bands)
            FastConformerFeatures.normalize(&rows, bands: features.bands)
            try #require(rows.count == features.frames * features.bands)
            let excerpt = stride(from: 0, to: features.frames, by: golden.step).flatMap { frame in
                stride(from: 0, to: features.bands, by: golden.band_step).map { rows[frame * features.bands + $0] }
            }
            #expect(largestDistance(excerpt, features.rows) < 2e-3, "\(features.bands) bands")
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
        // A single frame has no deviation.
        var rows: [Float] = [1, 2, 3]
        FastConformerFeatures.normalize(&rows, bands: 3)
        #expect(rows == [0, 0, 0])
    }

    @Test(arguments: [Float.nan, .infinity]) func refusesSamplesThatAreNotFinite(sample: Float) throws {
        expectError(.audioDamaged, says: "Sample 2") {
            try Self.rows([0, 0, sample], bands: 80)
        }
    }
}
