import StenoCore

struct WindowText: Sendable, Hashable {
    var tokens: [Int]
    var temperature: Double
    var quality: TextQuality
}

/// A window's attempts at the temperatures in turn, until its text passes the quality thresholds.
///
/// This follows section 4.5 of the Whisper paper (Radford et al. 2022). If every temperature fails, the most probable
/// text that does not repeat itself wins, as in faster-whisper; the temperature reported is then the last one tried.
struct WindowAttempts {
    private let model: WhisperModel
    private let options: WhisperOptions
    private let prompt: WindowPrompt
    private let rules: LogitRules
    private let seek: Int
    private let maxTokens: Int
    private let known: Int
    private var tried: [WindowText] = []

    /// Starts at the first temperature.
    ///
    /// - Parameters:
    ///   - seek: Where the window begins, which seeds its random numbers, so that they do not depend on what else is
    ///     decoded.
    ///   - known: The number of the prompt's forced tokens that an earlier decoding found; all but the last are left
    ///     out of the result.
    init(
        _ model: WhisperModel, _ prompt: WindowPrompt, rules: LogitRules, options: WhisperOptions, seek: Int,
        known: Int = 0
    ) {
        (self.known, self.model, self.options) = (known, model, options)
        (self.prompt, self.rules, self.seek) = (prompt, rules, seek)
        maxTokens = PromptBudget(context: model.shape.textContext).textLimit(
            prompt: prompt.tokens.count, forced: prompt.forcedCount, maxNewTokens: options.maxNewTokens)
    }

    var request: SearchRequest {
        SearchRequest(
            prompt: prompt, rules: rules, method: method, maxTokens: maxTokens, lengthPenalty: options.lengthPenalty)
    }

    /// Accepts the text found, or returns nil if the next temperature must be tried.
    mutating func accept(_ hypothesis: Hypothesis, noSpeechProbability: Double) -> WindowText? {
        let tokens = Array(hypothesis.tokens.dropFirst(max(0, known - 1)))
        let text = model.tokenizer.decode(tokens).trimmingWhitespace
        let quality = TextQuality(
            averageLogProbability: Double(hypothesis.logProbability) / Double(tokens.count + 1),
            compressionRatio: CompressionRatio.of(text), noSpeechProbability: noSpeechProbability)
        let result = WindowText(tokens: tokens, temperature: temperature, quality: quality)
        guard options.thresholds.fail(quality) else { return result }
        tried.append(result)
        return tried.count < options.temperatures.count ? nil : best(result)
    }

    private var temperature: Double { options.temperatures[tried.count] }

    private var method: SearchMethod {
        let seeds = (options.seed, UInt64(truncatingIfNeeded: seek) << 8 | UInt64(tried.count + (known > 0 ? 128 : 0)))
        if temperature > 0 { return .samples(options.bestOf, temperature: temperature, seeds: seeds) }
        if options.beamSize > 1 { return .beam(size: options.beamSize, patience: options.patience) }
        return .samples(1, temperature: 0, seeds: seeds)
    }

    /// The best of the texts that failed; `last` is the latest of them.
    private func best(_ last: WindowText) -> WindowText {
        let threshold = options.compressionRatioThreshold ?? .infinity
        let plain = tried.filter { $0.quality.compressionRatio <= threshold }
        var best = (plain.isEmpty ? tried : plain).reduce(nil as WindowText?) { best, next in
            best.map { next.quality.averageLogProbability > $0.quality.averageLogProbability ? next : $0 } ?? next
        }
        best?.temperature = last.temperature
        return best ?? last
    }
}

/// The measures that separate a good text from a hallucination, for one decoding of a window or an utterance.
struct TextQuality: Sendable, Hashable {
    /// The mean natural-log probability of the text's tokens, end of text included.
    var averageLogProbability: Double
    /// The text's length over its zlib-compressed length.
    var compressionRatio: Double
    /// The probability of no speech, from 0 to 1.
    var noSpeechProbability: Double
}

/// The Whisper paper's quality thresholds, as applied by faster-whisper; nil is off.
///
/// See Radford et al. 2022, section 4.5. Every decision to decode a text again, or to treat it as silence, is made
/// here.
struct QualityThresholds: Sendable, Hashable {
    /// A text with a higher compression ratio repeats itself.
    var compressionRatio: Double? = 2.4
    /// A text with a lower mean log probability is improbable.
    var logProbability: Double? = -1
    /// Above this no-speech probability there is no speech, if the text is improbable too.
    var noSpeech: Double? = 0.6

    /// Whether the text must be decoded again at the next temperature.
    func fail(_ text: TextQuality) -> Bool {
        let repeats = compressionRatio.map { text.compressionRatio > $0 } ?? false
        let isImprobable = logProbability.map { text.averageLogProbability < $0 } ?? false
        return (repeats || isImprobable) && !(isAboveNoSpeech(text) && isImprobable)
    }

    /// Whether the window is silence, whatever its text; a probable text overrides the no-speech probability.
    func isSilence(_ text: TextQuality) -> Bool {
        isAboveNoSpeech(text) && logProbability.map { !(text.averageLogProbability > $0) } ?? true
    }

    /// Whether a text is doubtful in a recording in which no speech was found.
    ///
    /// Measured with Whisper base: its text for noise has a mean log probability below −0.57 or a no-speech probability
    /// above 0.99; of 40 sentences attenuated by 60 dB, all but two are above −0.53, and all are below 0.77. A
    /// threshold that is off is off here too.
    func isDoubtful(_ text: TextQuality) -> Bool {
        let isImprobable = logProbability.map { text.averageLogProbability < max($0, Self.doubtfulLogProbability) }
        let isNoise = noSpeech.map { text.noSpeechProbability > max($0, Self.certainNoSpeech) }
        return isImprobable ?? false || isNoise ?? false
    }

    private static let doubtfulLogProbability = -0.55
    private static let certainNoSpeech = 0.9

    private func isAboveNoSpeech(_ text: TextQuality) -> Bool {
        noSpeech.map { text.noSpeechProbability > $0 } ?? false
    }
}

extension WhisperOptions {
    var thresholds: QualityThresholds {
        QualityThresholds(
            compressionRatio: compressionRatioThreshold, logProbability: logProbabilityThreshold,
            noSpeech: noSpeechThreshold)
    }
}
