import StenoCore
import StenoVoice

/// A request resolved for a model before any work: every limit is decided here, so that a request either fails with a
/// clear error or runs to its end.
struct TranscriptionPlan: Sendable {
    let model: WhisperModel
    let options: DecodingOptions
    /// What may be written.
    let rules: LogitRules
    let splitter: TimestampSplitter
    let merger: PunctuationMerger
    /// The most frames of 10 ms of audio in a window.
    let windowFrames: Int
    /// The most frames the encoder is shown: a window that takes less audio is filled up with nothing.
    let encodedFrames: Int
    /// The text before the first window.
    let initialContext: [Int]
    /// The thresholds that texts are held to.
    let thresholds: QualityThresholds
    /// How the context is shared out among the parts of a prompt.
    let budget: PromptBudget
    /// The tokens of words to expect; the window with the prefix has none, as in faster-whisper.
    let hotwords: [Int]
    /// The tokens that the first window's text begins with.
    let prefix: [Int]
    /// What chooses the speech; nil when everything or clips are decoded.
    let voiceActivity: VoiceActivityOptions?

    /// Refuses options that are wrong, or wrong for this model.
    init(_ model: WhisperModel, _ options: DecodingOptions) throws {
        try options.validate()
        if let language = options.language { _ = try model.tokenizer.languageToken(for: language) }
        self.model = model
        self.options = options
        rules = try options.rules(for: model)
        splitter = TimestampSplitter(timestampBegin: model.tokenizer.specialTokens.timestampBegin)
        merger = PunctuationMerger(prepended: options.prependedPunctuation, appended: options.appendedPunctuation)
        encodedFrames = try options.audioContext.windowFrames(for: model)
        windowFrames = try min(encodedFrames, options.chunkFrames(for: model))
        initialContext = try options.initialContext(for: model)
        thresholds = options.thresholds
        budget = PromptBudget(context: model.shape.textContext, maxNewTokens: options.maxNewTokens)
        prefix = model.tokenizer.prefixTokens(
            options.prefix, withoutTimestamps: options.withoutTimestamps,
            limit: PromptBudget.partLimit(context: model.shape.textContext))
        hotwords = model.tokenizer.hotwordTokens(options.hotwords)
        let sequence = try model.tokenizer.sotSequence(
            language: model.languages.first ?? "en", task: options.task, withoutTimestamps: options.withoutTimestamps)
        try budget.check(sequence: sequence.count, forced: prefix.count)
        try MemoryEstimate(model.shape, precision: model.precision, options: options).check()
        voiceActivity = options.voiceActivity(windowSeconds: Double(windowFrames) / 100)
        try voiceActivity?.validate()
    }

    /// The prompt of a window.
    ///
    /// - Parameters:
    ///   - previous: The text so far, of which as much as fits is used.
    ///   - withHotwords: Whether words to expect are named.
    ///   - isFirst: Whether the window is the first, which begins with the prefix.
    ///   - known: The window's first tokens, in place of a prefix, where its text is only to be continued.
    func prompt(
        sequence: [Int], previous: ArraySlice<Int>, withHotwords: Bool, isFirst: Bool, known: [Int] = []
    ) -> WindowPrompt {
        let hasPrefix = isFirst && known.isEmpty && !prefix.isEmpty
        let limit = max(0, PromptBudget.partLimit(context: budget.context) - known.count)
        return WindowPrompt(
            startOfPrevious: model.tokenizer.specialTokens.startOfPrevious, sequence: sequence,
            previous: previous.suffix(limit), hotwords: withHotwords && !hasPrefix ? hotwords : [],
            forced: hasPrefix ? prefix : known, budget: budget)
    }

    /// Whether windows are decoded in batches.
    var isBatched: Bool { options.batchSize > 1 }

    /// Whether each window is asked for its language.
    var detectsEveryLanguage: Bool { options.multilingual && model.isMultilingual }

    /// The guards over a passage, where they are asked for.
    func guards(_ monitor: SpeechMonitor) -> WindowGuard? {
        let prompt = options.initialPromptTokens.map { model.tokenizer.decode($0) } ?? options.initialPrompt
        return options.guards.map {
            WindowGuard(
                $0, monitor, tokenizer: model.tokenizer, prompts: [prompt, options.hotwords].compactMap { $0 })
        }
    }
}

extension DecodingOptions {
    /// The most rows any of the temperatures decodes side by side.
    var hypotheses: Int {
        temperatures.map { $0 > 0 ? bestOf : beamSize }.max() ?? 1
    }

    fileprivate func chunkFrames(for model: WhisperModel) throws -> Int {
        guard let chunkLength else { return model.shape.windowFrames }
        let longest = Double(model.shape.windowFrames) / 100
        guard (1...longest).contains(chunkLength) else {
            throw StenoError(
                .invalidOption, "The chunk length must be from 1 to \(longest) seconds, the model's window.")
        }
        return Int((chunkLength * 100).rounded())
    }

    fileprivate func initialContext(for model: WhisperModel) throws -> [Int] {
        guard let initialPromptTokens else {
            return initialPrompt.map { model.tokenizer.encode(" " + $0.trimmingWhitespace) } ?? []
        }
        guard initialPromptTokens.allSatisfy((0..<model.shape.vocabularySize).contains) else {
            throw StenoError(
                .invalidOption,
                "The initial prompt's tokens must be from 0 to \(model.shape.vocabularySize - 1), the model's ids.")
        }
        return initialPromptTokens
    }
}
