import StenoTestSupport
import Testing

@testable import StenoCore
@testable import StenoMoonshine

struct MoonshineStreamTests {
    /// The text of audio in parts is that of the whole, at any time, after a reset, and with the last text as draft.
    @Test(arguments: [Precision.float32, .int8]) func textsOfGrowingAudio(precision: Precision) throws {
        let loaded = try LoadedStreamingMoonshine("streaming-20", precision: precision)
        let samples = RandomMoonshine.samples(40_000)
        let stream = try loaded.model.makeStream()
        #expect(try stream.decode(limit: 5) == MoonshineDecoding())
        for turn in 0..<2 {
            var draft: [Int] = []
            for start in stride(from: 0, to: samples.count, by: 6400) {
                try stream.feed(samples[start..<min(start + 6400, samples.count)])
                var own = try stream.decode(draft: draft, limit: 10)
                let other = try loaded.model.makeStream()
                try other.feed(samples[..<min(start + 6400, samples.count)])
                #expect(stream.positions == other.positions)
                own.acceptedDraft = 0
                #expect(try own == other.decode(limit: 10), "part \(start), turn \(turn)")
                draft = own.tokens.map(\.id)
            }
            stream.reset()
            #expect(stream.positions == 0)
        }
    }

    @Test func theContextEnds() throws {
        let loaded = try LoadedStreamingMoonshine("streaming-16", windows: .exclusive)
        let stream = try loaded.model.makeStream()
        #expect(stream.room == 256)
        #expect(loaded.model.streaming.lookAhead == 12)
        let samples = RandomMoonshine.samples(268 * 320)
        try stream.feed(samples.prefix(samples.count - 240))
        #expect(stream.room == 0)
        #expect(throws: StenoError.self) { try stream.feed(samples.suffix(320)) }
        stream.reset()
        try stream.feed(samples.prefix(1000), isLast: true)
        #expect(stream.positions == 4)
    }

    @Test func cancellation() throws {
        let loaded = try LoadedStreamingMoonshine("streaming-20")
        let stream = try loaded.model.makeStream()
        let questions = Questions(yesFrom: 3)
        stream.isCancelled = questions.ask
        expectError(.cancelled) { try stream.feed(RandomMoonshine.samples(16000)) }
        #expect(questions.count == 3)
    }

    @Test func silenceAndNothing() throws {
        let loaded = try LoadedStreamingMoonshine("streaming-20")
        let stream = try loaded.model.makeStream()
        try stream.feed([Float]())
        try stream.feed([Float](), isLast: true)
        #expect(stream.positions == 0)
        stream.reset()
        try stream.feed([Float](repeating: 0, count: 3200), isLast: true)
        #expect(stream.positions == 10)
        #expect(try stream.decode(limit: 3).tokens.allSatisfy { $0.logProbability.isFinite })
    }

    @Test func windowsAreRead() throws {
        func windows(_ name: String, _ reading: WindowReading) throws -> [AttentionWindow] {
            try LoadedStreamingMoonshine(name, windows: reading).model.streaming.windows
        }
        #expect(try windows("streaming-16", .asTrained).first == AttentionWindow(past: 16, future: 4))
        #expect(try windows("streaming-16", .exclusive)[2] == AttentionWindow(past: 15, future: 0))
        #expect(try windows("streaming-20", .asTrained).map(\.past) == [5, 8, 5])
        #expect(try windows("streaming-20", .asTrained).map(\.future) == [2, 0, 1])
        let random = try RandomMoonshine("streaming-16")
        #expect(try LoadedStreamingMoonshine("streaming-16").model.parameterCount == random.parameterCount)
        #expect(
            try LoadedStreamingMoonshine("streaming-20").model.parameterCount
                == RandomMoonshine("streaming-20").parameterCount)
    }

    @Test func absurdConfigurationsAreRefused() {
        func code(_ name: String, _ value: Any, inEncoder: Bool) -> StenoError.Code? {
            do {
                _ = try LoadedStreamingMoonshine("streaming-20") { config in
                    if inEncoder {
                        var encoder = config["encoder_config"] as? [String: Any] ?? [:]
                        encoder[name] = value
                        config["encoder_config"] = encoder
                    } else {
                        config[name] = value
                    }
                }
                return nil
            } catch { return (error as? StenoError)?.code }
        }
        let absurd: [(String, Any, inEncoder: Bool)] = [
            ("sliding_windows", [[6, 3]], true), ("sliding_windows", [[6, 3], [9, 1], [6]], true),
            ("sliding_windows", [[6, 3], [9, 1], [0, 2]], true),
            ("sliding_windows", [[6, 3], [9, 1], [100_000, 2]], true), ("head_dim", 0, true), ("head_dim", 1000, true),
            ("num_attention_heads", 3, true), ("sample_rate", 8000, true), ("frame_ms", 10, true),
            ("num_hidden_layers", 0, true), ("hidden_act", "silu", true), ("head_dim", 300, false),
            ("hidden_act", "gelu", false), ("num_key_value_heads", 1, false), ("max_position_embeddings", 0, false),
        ]
        for (name, value, inEncoder) in absurd {
            #expect(code(name, value, inEncoder: inEncoder) == .modelUnsupported, "\(name)")
        }
        #expect(code("max_position_embeddings", 300, inEncoder: false) == .modelDamaged)
        #expect(code("head_dim", 10, inEncoder: true) == .modelDamaged)
        #expect(code("model_type", "moonshine", inEncoder: false) == .modelDamaged, "it lacks an encoder's layers")
    }
}

/// The forward pass of streaming models against transformers, and against itself in other parts.
struct StreamingGoldenTests {
    @Test(arguments: RandomMoonshine.streaming) func encoderLogitsAndTexts(name: String) throws {
        for clip in try RandomMoonshine(name).clips {
            let loaded = try LoadedStreamingMoonshine(name, windows: clip.isInclusive ? .inclusive : .exclusive)
            let pass = try StreamPass(loaded.model, samples: clip.samples, tokens: clip.tokens)
            #expect(pass.counts.last == clip.frames)
            #expect(relativeDistance(pass.encoder, clip.encoder) < 1e-5)
            #expect(pass.logits.count >= clip.logits.count)
            for (own, golden) in zip(pass.logits, clip.logits) { #expect(relativeDistance(own, golden) < 2e-5) }
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
