import StenoTestSupport
import Testing

@testable import StenoCore
@testable import StenoMoonshine

/// The forward pass of streaming models against transformers, and against itself in other parts.
struct StreamingGoldenTests {
    @Test(arguments: RandomMoonshine.streaming) func encoderAndLogits(name: String) throws {
        for clip in try RandomMoonshine(name).clips {
            let loaded = try LoadedStreamingMoonshine(name, windows: clip.isInclusive ? .inclusive : .exclusive)
            let pass = try StreamPass(loaded.model, samples: clip.samples, tokens: clip.tokens)
            #expect(pass.counts.last == clip.frames)
            #expect(relativeDistance(pass.encoder, clip.encoder) < 1e-5)
            #expect(pass.logits.count >= clip.logits.count)
            for (own, golden) in zip(pass.logits, clip.logits) { #expect(relativeDistance(own, golden) < 2e-5) }
        }
    }

    @Test(arguments: RandomMoonshine.streaming) func texts(name: String) throws {
        for clip in try RandomMoonshine(name).clips {
            let loaded = try LoadedStreamingMoonshine(name, windows: clip.isInclusive ? .inclusive : .exclusive)
            let stream = try loaded.model.makeStream()
            try stream.feed(clip.samples, isLast: true)
            #expect(stream.positions == clip.frames)
            #expect(try stream.decode(limit: 12, recordsAttention: true).tokens.map(\.id) == clip.tokens)
            let weights = try #require(stream.crossAttention)
            if !clip.weights.isEmpty { #expect(largestDistance(weights.mean(1), clip.weights) < 1e-5) }
        }
    }

    /// However the audio arrives, no bit of the frames changes, and none is late.
    @Test(arguments: RandomMoonshine.streaming, [Precision.float32, .int8])
    func anyParts(name: String, precision: Precision) throws {
        let loaded = try LoadedStreamingMoonshine(name, precision: precision, windows: .inclusive)
        let lookAhead = loaded.model.streaming.lookAhead
        for count in [19_217, 3001] {
            let samples = RandomMoonshine.samples(count)
            let whole = try StreamPass(loaded.model, samples: samples)
            for sizes in [[1, 79, 80, 81, 5000], [320], [1279, 3, 640], [163]] {
                let parts = try StreamPass(loaded.model, samples: samples, sizes: sizes)
                #expect(parts.encoder == whole.encoder)
                // Position p is complete with sample 320 · p of its last frame, and waits for the look-ahead.
                var heard = 0
                for (index, done) in parts.counts.dropLast().enumerated() {
                    heard += sizes[index % sizes.count]
                    #expect(done == max(0, (heard / 80 + 3) / 4 - lookAhead))
                }
            }
        }
    }
}
