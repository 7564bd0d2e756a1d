import StenoCompute
import StenoCore
import StenoTestSupport
import Testing

@testable import StenoFastConformer

struct TransducerDecodingTests {
    @Test(arguments: ["rnnt", "tdt", "tdt-biased"]) func equalsTransformers(name: String) throws {
        let tested = try GoldenModel(name)
        let state = try tested.model.makeState()
        // transformers has no limit for TDT.
        state.limitsSymbols = false
        let golden = try #require(tested.golden.tokens)
        let tokens = try state.decode(features: tested.mel(golden.frames ?? 0))
        #expect(tokens.plain == golden.tokens)
        #expect(tokens.allSatisfy { $0.logProbability < 0 && $0.logProbability > -20 })
        for golden in tested.golden.audio ?? [] {
            #expect(try state.transcribe(tested.audio(golden.samples ?? 0)).plain == golden.tokens)
        }
    }

    /// Frames in blocks of any length: state and skipped frames are carried over.
    @Test(arguments: ["rnnt", "tdt", "tdt-biased"]) func blocksDoNotChangeTheTokens(name: String) throws {
        let tested = try GoldenModel(name)
        let head = try #require(tested.model.transducer)
        var frames = try tested.encode(tested.mel(320), layers: 2)
        let width = tested.model.configuration.width, count = frames.count / width
        var random = SplitMix64(seed: 3)
        let decoding = try TransducerDecoding(head, context: ComputeContext(pool: tested.model.pool))
        func decode(longest: Int) throws -> [FastConformerToken] {
            try decoding.begin(prompt: 0)
            return try frames.withUnsafeMutableBufferPointer { frames in
                let rows = Rows(try #require(frames.baseAddress), stride: width)
                var tokens: [FastConformerToken] = [], start = 0
                while start < count {
                    let length = min(Int.random(in: 1...longest, using: &random), count - start)
                    tokens += try decoding.decode(rows.from(start), count: length, checkCancellation: {})
                    start += length
                }
                return tokens
            }
        }
        let whole = try decode(longest: 1_000_000)
        #expect(whole.count > 5)
        for longest in [1, 2, 5, 17] { #expect(try decode(longest: longest) == whole) }
    }

    /// A token that the joint network always prefers, and its duration.
    private static func always(_ token: Int, duration: Int) -> (inout FastConformerGoldens.Model) -> Void {
        { model in
            var bias = [Float](repeating: 0, count: 38)
            bias[token] = 1_000
            bias[33 + duration] = 1_000
            model.tensors["joint.head.bias"] = FastConformerGoldens.Tensor(shape: [38], values: bias)
        }
    }

    @Test func aFrameHasAtMostTenTokens() throws {
        let tested = try GoldenModel("tdt", change: Self.always(7, duration: 0))
        let tokens = try tested.model.makeState().decode(features: tested.mel(24))
        #expect(tokens.plain == (0..<30).map { [7, $0 / 10, 0] })
    }

    @Test func durationsSkipFrames() throws {
        let tested = try GoldenModel("tdt", change: Self.always(7, duration: 4))
        let tokens = try tested.model.makeState().decode(features: tested.mel(80))
        #expect(tokens.plain == [[7, 0, 4], [7, 4, 4], [7, 8, 4]])
        #expect(tokens.allSatisfy { $0.logProbability == 0 })
    }

    /// Blank moves on even if its duration is 0.
    @Test func blanksMoveOn() throws {
        let tested = try GoldenModel("tdt", change: Self.always(32, duration: 0))
        #expect(try tested.model.makeState().decode(features: tested.mel(80)).isEmpty)
    }
}
