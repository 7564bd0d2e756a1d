import Foundation
import StenoCore
import StenoVoiceActivity

/// A request resolved for a model before any work: every limit is decided here, so that a request either fails with a
/// clear error or runs to its end.
struct TranscriptionPlan: Sendable {
    let model: WhisperModel
    let options: TranscriptionOptions
    /// Whisper's own options among them.
    let whisper: WhisperOptions
    /// The number of windows decoded at once: a batch, or one window of each of several recordings.
    let lanes: Int
    let rules: LogitRules
    let splitter: TimestampSplitter
    let merger: PunctuationMerger
    /// The maximum number of audio frames (10 ms each) in a window.
    let windowFrames: Int
    /// The number of frames the encoder processes: a window with less audio is padded with silence.
    let encodedFrames: Int
    let initialContext: [Int]
    let thresholds: QualityThresholds
    let budget: PromptBudget
    /// The tokens of words to expect; as in faster-whisper, the window with the prefix gets none.
    let hotwords: [Int]
    /// The forced tokens at the start of the first window's text.
    let prefix: [Int]
    /// The voice activity options; nil if everything or only clips are decoded.
    let voiceActivity: VoiceActivityOptions?

    /// Throws if options are invalid, in themselves or for this model.
    ///
    /// - Parameters:
    ///   - recordings: The maximum number of recordings decoded at once; more than one without batches is for recordings
    ///     that are each decoded sequentially.
    ///   - availableMemory: The machine's memory in bytes, which the request must fit.
    init(
        _ model: WhisperModel, _ options: TranscriptionOptions, recordings: Int = 1,
        availableMemory: UInt64 = ProcessInfo.processInfo.physicalMemory
    ) throws {
        try options.check(for: model.information)
        try options.validateWhisper()
        let whisper = options.whisper
        lanes = max(options.batchSize, recordings)
        if let language = options.language { _ = try model.given(language) }
        (self.model, self.options, self.whisper) = (model, options, whisper)
        rules = try whisper.rules(for: model)
        splitter = TimestampSplitter(timestampBegin: model.tokenizer.specialTokens.timestampBegin)
        merger = PunctuationMerger(prepended: whisper.prependedPunctuation, appended: whisper.appendedPunctuation)
        encodedFrames = try whisper.audioContext.windowFrames(for: model)
        windowFrames = try min(encodedFrames, whisper.chunkFrames(for: model))
        initialContext = try options.initialContext(for: model)
        thresholds = whisper.thresholds
        budget = PromptBudget(context: model.shape.textContext, maxNewTokens: whisper.maxNewTokens)
        prefix = model.tokenizer.prefixTokens(
            whisper.prefix, withoutTimestamps: whisper.withoutTimestamps,
            limit: PromptBudget.partLimit(context: model.shape.textContext))
        hotwords = model.tokenizer.hotwordTokens(options.vocabulary.hotwords)
        let sequence = try model.tokenizer.sotSequence(
            language: model.languages.first ?? "en", task: options.task, withoutTimestamps: whisper.withoutTimestamps)
        try budget.check(sequence: sequence.count, forced: prefix.count)
        try MemoryEstimate(model.shape, precision: model.precision, options: options, lanes: lanes)
            .check(available: availableMemory)
        voiceActivity = options.voiceActivity(windowSeconds: Double(windowFrames) / 100)
    }

    /// - Parameters:
    ///   - previous: The text so far; as much of it as fits is used.
    ///   - withHotwords: Whether to include words to expect.
    ///   - isFirst: Whether this is the first window, which begins with the prefix.
    ///   - known: The window's first tokens, replacing a prefix, if its text is to be continued.
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

    var isBatched: Bool { options.batchSize > 1 }

    var detectsEveryLanguage: Bool { whisper.multilingual && model.isMultilingual }

    func guards(_ monitor: SpeechMonitor) -> WindowGuard? {
        let prompt = whisper.initialPromptTokens.map { model.tokenizer.decode($0) } ?? options.prompt
        let prompts = [prompt, options.vocabulary.hotwords].compactMap { $0 }
        return whisper.guards.map { WindowGuard($0, monitor, tokenizer: model.tokenizer, prompts: prompts) }
    }
}

extension WhisperOptions {
    /// The maximum number of rows that any of the temperatures decodes at once.
    var hypotheses: Int { temperatures.map { $0 > 0 ? bestOf : beamSize }.max() ?? 1 }

    fileprivate func chunkFrames(for model: WhisperModel) throws -> Int {
        guard let chunkLength else { return model.shape.windowFrames }
        let longest = Double(model.shape.windowFrames) / 100
        try ensure(
            (1...longest).contains(chunkLength), or: .invalidOption,
            "The chunk length must be from 1 to \(longest) seconds, the model's window.")
        return Int((chunkLength * 100).rounded())
    }
}

extension TranscriptionOptions {
    fileprivate func initialContext(for model: WhisperModel) throws -> [Int] {
        guard let tokens = whisper.initialPromptTokens else {
            return prompt.map { model.tokenizer.encode(" " + $0.trimmingWhitespace) } ?? []
        }
        try ensure(
            tokens.allSatisfy((0..<model.shape.vocabularySize).contains), or: .invalidOption,
            "The initial prompt's tokens must be ids of this model, from 0 to \(model.shape.vocabularySize - 1).")
        return tokens
    }
}

/// The memory that a request may use beyond the model's weights, computed from the shape and the options.
///
/// It is an upper bound: pages that no window needs are never allocated. A request that could exceed the machine's
/// memory is refused before it starts instead of being killed by the system an hour later.
struct MemoryEstimate: Sendable, Hashable {
    /// The size of all memory that decoding may write to.
    let bytes: Int

    /// - Parameter lanes: The number of windows decoded at once; nil is the batch size.
    init(_ shape: ModelShape, precision: Precision, options: TranscriptionOptions, lanes: Int? = nil) {
        let lanes = lanes ?? options.batchSize, hypotheses = options.whisper.hypotheses
        let floats = MemoryLayout<Float>.size
        let cacheBytes = precision == .int8 ? 2 : floats
        let crossBytes = precision == .int8 ? 1 : floats
        let slots = lanes * DecoderState.slots(shape: shape, hypotheses: hypotheses)
        let rows = shape.textContext + lanes * hypotheses
        let selfAttention = slots * shape.width * 2 * shape.decoderLayers * cacheBytes
        let crossAttention = lanes * shape.audioContext * shape.width * 2 * shape.decoderLayers * crossBytes
        let logits = (max(lanes * max(hypotheses, 2), 8) + lanes) * shape.vocabularySize * floats
        let decoder = rows * shape.width * 8 * floats
        let encoder = shape.audioContext * shape.width * 14 * floats
        bytes = selfAttention + crossAttention + logits + decoder + encoder
    }

    /// - Parameter available: The machine's memory in bytes.
    /// - Throws: ``StenoError`` with code `invalidOption` if the request may need more.
    func check(available: UInt64) throws {
        guard bytes >= 0, UInt64(bytes) > available else { return }
        let gigabytes = Double(bytes) / 1e9
        throw StenoError(
            .invalidOption,
            "This request may need \(Int(gigabytes.rounded(.up))) GB of memory, and the machine has \(available / 1_000_000_000) GB. Lower the batch size, the beam size or the number of samples (best of)."
        )
    }
}
