import StenoTestSupport
import Testing

@testable import StenoCore
@testable import StenoWhisper

/// Which of a window's texts is accepted, on a model whose texts all differ and all fail the quality thresholds.
struct FallbackTests {
    let model: WhisperModel
    let lane: WindowLane
    let prompt: WindowPrompt
    let rules: LogitRules
    static let temperatures = [0, 0.3, 0.7, 1.2]
    static let seek = 300

    init() throws {
        model = try SmallModel.load()
        lane = try WindowLane(model, hypotheses: 3) { false }
        var random = SplitMix64(seed: 3)
        let mel = random.uniform(count: 200 * 80, centre: 0, span: 1)
        lane.frames.update(from: mel, count: mel.count)
        try lane.encode(positions: 100)
        let sequence = try model.tokenizer.sotSequence(language: "en", task: .transcribe, withoutTimestamps: false)
        prompt = WindowPrompt(
            startOfPrevious: model.tokenizer.specialTokens.startOfPrevious, sequence: sequence,
            budget: PromptBudget(context: 64))
        rules = try Self.options().whisper.rules(for: model)
    }

    static func options(_ change: (inout TranscriptionOptions) -> Void = { _ in }) -> TranscriptionOptions {
        var options = TranscriptionOptions(language: "en")
        options.whisper = WhisperOptions().with {
            ($0.beamSize, $0.bestOf, $0.temperatures) = (3, 3, temperatures)
            ($0.compressionRatioThreshold, $0.logProbabilityThreshold, $0.noSpeechThreshold) = (nil, nil, nil)
        }
        return options.with(change)
    }

    func decode(_ change: (inout TranscriptionOptions) -> Void = { _ in }) throws -> WindowText {
        try lane.decodeWithFallback(prompt, rules: rules, options: Self.options(change).whisper, seek: Self.seek)
    }

    func decode(logProbability: Double, ratio: Double? = nil, noSpeech: Double? = nil) throws -> WindowText {
        try decode {
            $0.whisper.logProbabilityThreshold = logProbability
            $0.whisper.compressionRatioThreshold = ratio
            $0.whisper.noSpeechThreshold = noSpeech
        }
    }

    /// The text of each temperature on its own.
    func all() throws -> [WindowText] {
        // Every text is improbable, so all temperatures are tried, and the list is cut after the one of interest.
        try Self.temperatures.indices.map { index in
            let temperature = Self.temperatures[index]
            let hypothesis = try lane.decode(
                SearchRequest(
                    prompt: prompt, rules: rules,
                    method: temperature == 0
                        ? .beam(size: 3, patience: 1)
                        : .samples(3, temperature: temperature, seeds: (0, UInt64(Self.seek) << 8 | UInt64(index))),
                    maxTokens: 32, lengthPenalty: 1))
            let text = model.tokenizer.decode(hypothesis.tokens).trimmingWhitespace
            return WindowText(
                tokens: hypothesis.tokens, temperature: temperature,
                quality: TextQuality(
                    averageLogProbability: Double(hypothesis.logProbability) / Double(hypothesis.tokens.count + 1),
                    compressionRatio: CompressionRatio.of(text), noSpeechProbability: lane.noSpeechProbability))
        }
    }

    @Test func theFirstTextThatPassesIsAccepted() throws {
        let all = try all()
        #expect(Set(all.map(\.tokens)).count == all.count)
        #expect(try decode().tokens == all[0].tokens)
        for (index, wanted) in all.enumerated() {
            let others = all.filter { $0.tokens != wanted.tokens }
            // A threshold that only this text and later ones pass, if one exists.
            let threshold = wanted.quality.averageLogProbability
            guard others.prefix(index).allSatisfy({ $0.quality.averageLogProbability < threshold }) else { continue }
            let result = try decode(logProbability: threshold)
            #expect(result.tokens == wanted.tokens)
            #expect(result.temperature == Self.temperatures[index])
        }
    }

    /// If all fail, the most probable text wins; the reported temperature is the last one tried.
    @Test func theMostProbableOfFailingTextsWins() throws {
        let best = try #require(try all().max { $0.quality.averageLogProbability < $1.quality.averageLogProbability })
        let result = try decode(logProbability: 0)
        #expect(result.tokens == best.tokens)
        #expect(result.quality.averageLogProbability == best.quality.averageLogProbability)
        #expect(result.temperature == 1.2)
    }

    @Test func aTextThatRepeatsItselfLosesToAnImprobableOne() throws {
        let all = try all()
        let ratios = all.map(\.quality.compressionRatio).sorted()
        // Between the least and the most repetitive: some texts pass this threshold, but none is probable enough.
        let threshold = (ratios[0] + ratios[ratios.count - 1]) / 2
        let plain = all.filter { $0.quality.compressionRatio <= threshold }
        #expect(!plain.isEmpty && plain.count < all.count)
        let best = plain.max { $0.quality.averageLogProbability < $1.quality.averageLogProbability }
        #expect(try decode(logProbability: 0, ratio: threshold).tokens == best?.tokens)
        // If all texts repeat themselves, the most probable wins again.
        let mostProbable = all.max { $0.quality.averageLogProbability < $1.quality.averageLogProbability }
        #expect(try decode(logProbability: 0, ratio: 0).tokens == mostProbable?.tokens)
    }

    /// Silence is not decoded again, however improbable its text is.
    @Test func improbableSilenceIsNotDecodedAgain() throws {
        let first = try all()[0]
        #expect(first.quality.noSpeechProbability > 0)
        let silent = try decode(logProbability: 0, noSpeech: 0)
        #expect(silent.tokens == first.tokens)
        #expect(silent.temperature == 0)
        // Not even if it repeats itself; but probable repetitive text is not silence.
        #expect(try decode(logProbability: 0, ratio: 0, noSpeech: 0).tokens == first.tokens)
        #expect(try decode(logProbability: -1000, ratio: 0, noSpeech: 0).temperature == 1.2)
    }

    @Test func theLimitOfTokens() throws {
        // 3 prompt tokens and 9 new ones: half of 12, as in faster-whisper.
        #expect(try decode { $0.whisper.maxNewTokens = 9 }.tokens.count <= 6)
        #expect(try decode { $0.whisper.maxNewTokens = 61 }.tokens.count <= 32)
    }

    /// The longest possible prompt leaves room for one token.
    @Test func aPromptThatFillsTheContext() throws {
        for length in 60...64 {
            var full = prompt
            full.tokens =
                [model.tokenizer.specialTokens.startOfPrevious] + [Int](repeating: 5, count: length - 4) + prompt.tokens
            full.startIndex = length - 3
            let result = try lane.decodeWithFallback(full, rules: rules, options: Self.options().whisper, seek: 0)
            #expect((1...65 - length).contains(result.tokens.count))
        }
    }
}

extension WindowLane {
    /// Decodes one window as `TranscriptionLoop` does: at the temperatures in turn until the text passes the thresholds.
    fileprivate func decodeWithFallback(
        _ prompt: WindowPrompt, rules: LogitRules, options: WhisperOptions, seek: Int
    ) throws -> WindowText {
        var attempts = WindowAttempts(model, prompt, rules: rules, options: options, seek: seek)
        while true {
            let found = try decode(attempts.request)
            if let text = attempts.accept(found, noSpeechProbability: noSpeechProbability) { return text }
        }
    }
}
