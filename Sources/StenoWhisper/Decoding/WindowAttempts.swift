/// A window on its way through the temperatures: the first, and the next ones while the text looks bad.
///
/// The idea is that of the Whisper paper's section 4.5 (Radford et al. 2022). When every temperature fails, the most
/// probable text that does not repeat itself wins, as in faster-whisper; the temperature reported is then the last one
/// tried.
struct WindowAttempts {
    typealias Result = WindowDecoder.Result

    private let model: WhisperModel
    private let options: DecodingOptions
    private let prompt: WindowPrompt
    private let rules: LogitRules
    private let seek: Int
    private let maxTokens: Int
    private let known: Int
    private var tried: [Result] = []

    /// Starts at the first temperature.
    ///
    /// - Parameter seek: Where the window begins: its random numbers are its own, whatever is decoded before or beside
    ///   it.
    /// - Parameter known: How many of the prompt's forced tokens were found before: all but the last are left out of
    ///   the result.
    init(
        _ model: WhisperModel, _ prompt: WindowPrompt, rules: LogitRules, options: DecodingOptions, seek: Int,
        known: Int = 0
    ) throws {
        self.known = known
        self.model = model
        self.options = options
        self.prompt = prompt
        self.rules = rules
        self.seek = seek
        maxTokens = try options.tokenLimit(after: prompt, context: model.shape.textContext)
    }

    /// What to search for now.
    var request: SearchRequest {
        SearchRequest(
            prompt: prompt, rules: rules, method: method, maxTokens: maxTokens, lengthPenalty: options.lengthPenalty)
    }

    /// Takes the text that was found; nil when the next temperature has to be tried.
    mutating func take(_ hypothesis: Hypothesis, noSpeechProbability: Double) -> Result? {
        let tokens = Array(hypothesis.tokens.dropFirst(max(0, known - 1)))
        let text = model.tokenizer.decode(tokens).trimmingWhitespace
        let result = Result(
            tokens: tokens, temperature: temperature,
            averageLogProbability: Double(hypothesis.logProbability) / Double(tokens.count + 1),
            compressionRatio: CompressionRatio.of(text), noSpeechProbability: noSpeechProbability)
        guard looksBad(result) else { return result }
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

    private func looksBad(_ result: Result) -> Bool {
        let repeats = options.compressionRatioThreshold.map { result.compressionRatio > $0 } ?? false
        let isImprobable = options.logProbabilityThreshold.map { result.averageLogProbability < $0 } ?? false
        let isSilent = options.noSpeechThreshold.map { result.noSpeechProbability > $0 } ?? false
        return (repeats || isImprobable) && !(isSilent && isImprobable)
    }

    /// The best of bad texts; `last` came last.
    private func best(_ last: Result) -> Result {
        let threshold = options.compressionRatioThreshold ?? .infinity
        let plain = tried.filter { $0.compressionRatio <= threshold }
        var best = (plain.isEmpty ? tried : plain).reduce(nil as Result?) { best, next in
            best.map { next.averageLogProbability > $0.averageLogProbability ? next : $0 } ?? next
        }
        best?.temperature = last.temperature
        return best ?? last
    }
}

extension DecodingOptions {
    /// The most tokens of a window's text: half of the context, what the prompt leaves of it, or less if asked.
    ///
    /// As in faster-whisper the limit asked for is added to the prompt's length first, and the decoder takes half of
    /// that sum: a limit of 8 after a prompt of 3 gives 5 tokens.
    fileprivate func tokenLimit(after prompt: WindowPrompt, context: Int) throws -> Int {
        let length = prompt.tokens.count
        guard length <= context, maxNewTokens ?? 0 <= context - length else {
            let wanted = maxNewTokens.map { " and \($0) new ones are allowed" } ?? ""
            throw WhisperError(
                .invalidOption,
                "The prompt has \(length) tokens\(wanted), but the model's context has room for \(context) in all. Shorten the prompt or lower the limit."
            )
        }
        let total = maxNewTokens.map { length + $0 } ?? context
        let fed = length - prompt.forcedCount - 1
        return max(1, min(total / 2, total - fed))
    }
}

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
    func decodeWithFallback(_ prompt: WindowPrompt, rules: LogitRules, options: DecodingOptions, seek: Int) throws
        -> Result
    {
        var attempts = try WindowAttempts(model, prompt, rules: rules, options: options, seek: seek)
        while true {
            let request = attempts.request
            let found = try decode(
                prompt, rules: rules, method: request.method, maxTokens: request.maxTokens,
                lengthPenalty: request.lengthPenalty)
            if let result = attempts.take(found, noSpeechProbability: noSpeechProbability) { return result }
        }
    }
}
