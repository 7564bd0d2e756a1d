extension WindowDecoder {
    /// A window's text and what there is to know about it.
    struct Result {
        var tokens: [Int]
        var temperature: Double
        var averageLogProbability: Double
        var compressionRatio: Double
        var noSpeechProbability: Double
    }

    /// Decodes at the first temperature, and at the next ones while the text looks bad.
    ///
    /// The idea is that of the Whisper paper's section 4.5 (Radford et al. 2022).
    /// When every temperature fails, the most probable text that does not repeat itself wins, as in faster-whisper;
    /// the temperature reported is then the last one tried.
    func decodeWithFallback(_ prompt: WindowPrompt, rules: LogitRules, options: DecodingOptions, seek: Int) throws
        -> Result
    {
        let maxTokens = try tokenLimit(prompt, options: options)
        var tried: [Result] = []
        for (index, temperature) in options.temperatures.enumerated() {
            let hypothesis = try decode(
                prompt, rules: rules, method: method(temperature, index: index, options: options, seek: seek),
                maxTokens: maxTokens, lengthPenalty: options.lengthPenalty)
            let result = describe(hypothesis, temperature: temperature)
            if !looksBad(result, options) { return result }
            tried.append(result)
        }
        let threshold = options.compressionRatioThreshold ?? .infinity
        let plain = tried.filter { $0.compressionRatio <= threshold }
        let candidates = plain.isEmpty ? tried : plain
        guard let first = candidates.first else {
            throw WhisperError(.invalidOption, "Give at least one temperature.")
        }
        var best = candidates.dropFirst().reduce(first) {
            $1.averageLogProbability > $0.averageLogProbability ? $1 : $0
        }
        best.temperature = options.temperatures.last ?? 0
        return best
    }

    private func method(_ temperature: Double, index: Int, options: DecodingOptions, seek: Int) -> Method {
        let seeds = (options.seed, UInt64(truncatingIfNeeded: seek) << 8 | UInt64(index))
        if temperature > 0 { return .samples(options.bestOf, temperature: temperature, seeds: seeds) }
        if options.beamSize > 1 { return .beam(size: options.beamSize, patience: options.patience) }
        return .samples(1, temperature: 0, seeds: seeds)
    }

    private func describe(_ hypothesis: Hypothesis, temperature: Double) -> Result {
        let text = model.tokenizer.decode(hypothesis.tokens).trimmingWhitespace
        return Result(
            tokens: hypothesis.tokens, temperature: temperature,
            averageLogProbability: Double(hypothesis.logProbability) / Double(hypothesis.tokens.count + 1),
            compressionRatio: CompressionRatio.of(text), noSpeechProbability: noSpeechProbability)
    }

    private func looksBad(_ result: Result, _ options: DecodingOptions) -> Bool {
        let repeats = options.compressionRatioThreshold.map { result.compressionRatio > $0 } ?? false
        let isImprobable = options.logProbabilityThreshold.map { result.averageLogProbability < $0 } ?? false
        let isSilent = options.noSpeechThreshold.map { result.noSpeechProbability > $0 } ?? false
        return (repeats || isImprobable) && !(isSilent && isImprobable)
    }

    /// The most tokens of a window's text: half of the context, what the prompt leaves of it, or less if asked.
    ///
    /// As in faster-whisper the limit asked for is added to the prompt's length first, and the decoder takes half of
    /// that sum: a limit of 8 after a prompt of 3 gives 5 tokens.
    private func tokenLimit(_ prompt: WindowPrompt, options: DecodingOptions) throws -> Int {
        let context = model.shape.textContext
        let length = prompt.tokens.count
        guard length <= context, options.maxNewTokens ?? 0 <= context - length else {
            let wanted = options.maxNewTokens.map { " and \($0) new ones are allowed" } ?? ""
            throw WhisperError(
                .invalidOption,
                "The prompt has \(length) tokens\(wanted), but the model's context has room for \(context) in all. Shorten the prompt or lower the limit."
            )
        }
        let total = options.maxNewTokens.map { length + $0 } ?? context
        let fed = length - prompt.forcedCount - 1
        return max(1, min(total / 2, total - fed))
    }
}
