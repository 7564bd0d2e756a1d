import StenoCore
import StenoTestSupport
import Testing

@testable import StenoFastConformer

/// The encoder against transformers, layer by layer.
struct FastConformerEncoderTests {
    /// float64 against transformers differs by 1 to 2e-6 of the largest value.
    private static let tolerance = 2e-5

    @Test(arguments: ["ctc", "ctc-wide", "rnnt", "tdt", "tdt-biased"]) func wholeUtterances(name: String) throws {
        let tested = try GoldenModel(name)
        for encoding in tested.golden.encoder {
            for (layers, output) in encoding.outputs.enumerated() {
                let frames = try tested.encode(tested.mel(encoding.frames), layers: layers)
                let expected = tested.goldens.values(output)
                let largest = Double(expected.map(abs).max() ?? 0)
                #expect(
                    largestDistance(frames, expected) < Self.tolerance * largest,
                    "\(encoding.frames) rows after \(layers) layers")
            }
        }
    }

    @Test(arguments: ["nemotron", "nemotron-prompts"]) func chunks(name: String) throws {
        let tested = try GoldenModel(name)
        for encoding in tested.golden.encoder {
            let lookAhead = try #require(encoding.num_lookahead_tokens)
            for (layers, output) in encoding.outputs.enumerated() {
                let frames = try tested.stream(tested.mel(encoding.frames), lookAhead: lookAhead, layers: layers)
                let expected = tested.goldens.values(output)
                let largest = Double(expected.map(abs).max() ?? 0)
                #expect(
                    largestDistance(frames, expected) < Self.tolerance * largest,
                    "look-ahead \(lookAhead) after \(layers) layers")
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
