import StenoTestSupport
import Testing

@testable import StenoWhisper

/// Which of a window's texts is taken, on a model whose texts are all different and all bad.
struct FallbackTests {
    let model: WhisperModel
    let decoder: WindowDecoder
    let prompt: WindowPrompt
    let rules: LogitRules
    static let temperatures = [0, 0.3, 0.7, 1.2]
    static let seek = 300

    init() throws {
        model = try SmallModel.with { try WhisperModel.load(folder: $0, precision: .float32, threads: 1) }
        decoder = try WindowDecoder(model, hypotheses: 3) { false }
        var random = SplitMix64(seed: 3)
        let mel = random.uniform(count: 200 * 80, centre: 0, span: 1)
        decoder.encoder.frames.update(from: mel, count: mel.count)
        try decoder.encode(positions: 100)
        let sequence = try model.tokenizer.sotSequence(language: "en", task: .transcribe, withoutTimestamps: false)
        prompt = WindowPrompt(
            model.tokenizer, sequence: sequence, context: 64, previous: [], hotwords: nil, prefix: nil,
            withoutTimestamps: false)
        rules = try Self.options().rules(for: model)
    }

    static func options(_ change: (inout DecodingOptions) -> Void = { _ in }) -> DecodingOptions {
        var options = DecodingOptions(language: "en")
        (options.beamSize, options.bestOf, options.temperatures) = (3, 3, temperatures)
        (options.compressionRatioThreshold, options.logProbabilityThreshold, options.noSpeechThreshold) = (
            nil, nil, nil
        )
        change(&options)
        return options
    }

    func decode(_ change: (inout DecodingOptions) -> Void = { _ in }) throws -> WindowDecoder.Result {
        try decoder.decodeWithFallback(prompt, rules: rules, options: Self.options(change), seek: Self.seek)
    }

    /// The text of each temperature alone.
    func all() throws -> [WindowDecoder.Result] {
        // Everything is improbable, so all are tried, and the list is cut after the one that is wanted.
        try Self.temperatures.indices.map { index in
            let temperature = Self.temperatures[index]
            let hypothesis = try decoder.decode(
                prompt, rules: rules,
                method: temperature == 0
                    ? .beam(size: 3, patience: 1)
                    : .samples(3, temperature: temperature, seeds: (0, UInt64(Self.seek) << 8 | UInt64(index))),
                maxTokens: 32, lengthPenalty: 1)
            let text = model.tokenizer.decode(hypothesis.tokens).trimmingWhitespace
            return WindowDecoder.Result(
                tokens: hypothesis.tokens, temperature: temperature,
                averageLogProbability: Double(hypothesis.logProbability) / Double(hypothesis.tokens.count + 1),
                compressionRatio: CompressionRatio.of(text), noSpeechProbability: decoder.noSpeechProbability)
        }
    }

    @Test func theFirstTextThatLooksGood() throws {
        let all = try all()
        #expect(Set(all.map(\.tokens)).count == all.count)
        #expect(try decode().tokens == all[0].tokens)
        for (index, wanted) in all.enumerated() {
            let others = all.filter { $0.tokens != wanted.tokens }
            // A threshold that only this text and later ones pass, where there is one.
            let threshold = wanted.averageLogProbability
            guard others.prefix(index).allSatisfy({ $0.averageLogProbability < threshold }) else { continue }
            let result = try decode { $0.logProbabilityThreshold = threshold }
            #expect(result.tokens == wanted.tokens)
            #expect(result.temperature == Self.temperatures[index])
        }
    }

    /// When none does, the most probable one; the temperature told is the last that was tried.
    @Test func theMostProbableOfBadTexts() throws {
        let best = try #require(try all().max { $0.averageLogProbability < $1.averageLogProbability })
        let result = try decode { $0.logProbabilityThreshold = 0 }
        #expect(result.tokens == best.tokens)
        #expect(result.averageLogProbability == best.averageLogProbability)
        #expect(result.temperature == 1.2)
    }

    @Test func aTextThatRepeatsItselfLosesToAnImprobableOne() throws {
        let all = try all()
        let ratios = all.map(\.compressionRatio).sorted()
        // Between the least and the most repetitive: some texts pass this, but none is probable enough.
        let threshold = (ratios[0] + ratios[ratios.count - 1]) / 2
        let plain = all.filter { $0.compressionRatio <= threshold }
        #expect(!plain.isEmpty && plain.count < all.count)
        let best = plain.max { $0.averageLogProbability < $1.averageLogProbability }
        let result = try decode {
            $0.logProbabilityThreshold = 0
            $0.compressionRatioThreshold = threshold
        }
        #expect(result.tokens == best?.tokens)
        // When all of them repeat themselves, the most probable again.
        let anyway = try decode {
            $0.logProbabilityThreshold = 0
            $0.compressionRatioThreshold = 0
        }
        #expect(anyway.tokens == all.max { $0.averageLogProbability < $1.averageLogProbability }?.tokens)
    }

    /// Silence is not decoded again, however improbable its text.
    @Test func improbableSilenceIsLeftAlone() throws {
        let first = try all()[0]
        #expect(first.noSpeechProbability > 0)
        let silent = try decode {
            $0.logProbabilityThreshold = 0
            $0.noSpeechThreshold = 0
        }
        #expect(silent.tokens == first.tokens)
        #expect(silent.temperature == 0)
        // Not even when it repeats itself; but a text that repeats itself and is probable is no silence.
        let repeating = try decode {
            ($0.logProbabilityThreshold, $0.noSpeechThreshold, $0.compressionRatioThreshold) = (0, 0, 0)
        }
        #expect(repeating.tokens == first.tokens)
        let probable = try decode {
            ($0.logProbabilityThreshold, $0.noSpeechThreshold, $0.compressionRatioThreshold) = (-1000, 0, 0)
        }
        #expect(probable.temperature == 1.2)
    }

    @Test func theLimitOfTokens() throws {
        // 3 tokens of prompt and 9 new ones: half of 12, as in faster-whisper.
        #expect(try decode { $0.maxNewTokens = 9 }.tokens.count <= 6)
        for limit in [62, 1000, Int.max] {
            let error = #expect(throws: StenoError.self) { try decode { $0.maxNewTokens = limit } }
            #expect(error?.code == .invalidOption)
            #expect(error?.message.contains("3 tokens") == true)
        }
        #expect(try decode { $0.maxNewTokens = 61 }.tokens.count <= 32)
    }

    @Test func aPromptLongerThanTheContext() throws {
        let long = WindowPrompt(
            model.tokenizer, sequence: prompt.tokens, context: 64, previous: ArraySlice(repeatElement(5, count: 40)),
            hotwords: String(repeating: "q", count: 80), prefix: nil, withoutTimestamps: false)
        #expect(long.tokens.count == 66)
        let error = #expect(throws: StenoError.self) {
            try decoder.decodeWithFallback(long, rules: rules, options: Self.options(), seek: 0)
        }
        #expect(error?.code == .invalidOption)
        #expect(error?.message.contains("66 tokens") == true)
    }

    /// The longest prompt there may be leaves room for one token.
    @Test func aPromptThatFillsTheContext() throws {
        for length in 60...64 {
            var full = prompt
            full.tokens =
                [model.tokenizer.specialTokens.startOfPrevious] + [Int](repeating: 5, count: length - 4) + prompt.tokens
            full.startIndex = length - 3
            let result = try decoder.decodeWithFallback(full, rules: rules, options: Self.options(), seek: 0)
            #expect((1...65 - length).contains(result.tokens.count))
        }
    }
}
