import StenoTestSupport
import Testing

@testable import StenoCore
@testable import StenoMoonshine

/// The forward pass against transformers, with small random models.
///
/// Their heads have 36, 52 and 24 channels, as tiny's, base's and no published model's; every table of kernels runs these
/// tests.
struct MoonshineGoldenTests {
    @Test(arguments: RandomMoonshine.whole) func encoderAndLogits(name: String) throws {
        let loaded = try LoadedMoonshine(name)
        for clip in loaded.random.clips {
            let pass = try ForwardPass(loaded.model, samples: clip.samples, tokens: clip.tokens)
            #expect(pass.positions == clip.frames)
            #expect(relativeDistance(pass.encoder, clip.encoder) < 1e-5)
            for (own, golden) in zip(pass.logits, clip.logits) { #expect(relativeDistance(own, golden) < 2e-5) }
            if !clip.weights.isEmpty { #expect(largestDistance(pass.weights.mean(1), clip.weights) < 1e-5) }
        }
    }

    @Test(arguments: RandomMoonshine.whole) func texts(name: String) throws {
        let loaded = try LoadedMoonshine(name)
        let state = loaded.model.makeState()
        for clip in loaded.random.clips {
            #expect(try state.encode(clip.samples) == clip.frames)
            let decoding = try state.decode(limit: 12)
            #expect(decoding.tokens.map(\.id) == clip.tokens)
            #expect((decoding.endLogProbability != nil) == (clip.tokens.count < 12))
            for (token, logits) in zip(decoding.tokens, clip.logits) {
                let ordered = logits.sorted(by: >)
                #expect(abs(token.margin - (ordered[0] - ordered[1])) < 1e-4)
            }
        }
    }

    /// The rounding to eight bits changes a random model's numbers a little, and mostly not its direction.
    @Test(arguments: RandomMoonshine.whole) func int8IsCloseToFloat32(name: String) throws {
        let loaded = try LoadedMoonshine(name, precision: .int8)
        for clip in loaded.random.clips {
            let pass = try ForwardPass(loaded.model, samples: clip.samples, tokens: clip.tokens)
            #expect(cosine(pass.encoder, clip.encoder) > 0.999)
            for (own, golden) in zip(pass.logits, clip.logits) { #expect(cosine(own, golden) > 0.99) }
        }
    }
}
