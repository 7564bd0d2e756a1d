/// A text as it grows: what it tells the next window, and what becomes of that window's tokens.
final class Passage {
    private let plan: TranscriptionPlan
    /// The language's code, and the tokens a window's text begins with.
    private var language: String
    private var sequence: [Int]
    /// All tokens so far, and from where on they may be used as a prompt.
    private var context: [Int]
    private var contextStart = 0
    /// Where the last word ended, in seconds.
    private var lastSpeech = 0.0

    private var model: WhisperModel { plan.model }
    private var options: DecodingOptions { plan.options }

    /// Starts with nothing said but the initial prompt.
    init(_ plan: TranscriptionPlan, language: String) throws {
        self.plan = plan
        self.language = language
        sequence = try plan.sequence(language: language)
        context = plan.initialContext
    }

    /// Goes on in another language.
    func change(language: String) throws {
        sequence = try plan.sequence(language: language)
        self.language = language
    }

    /// What the decoder is told before the window at a frame.
    func prompt(at seek: Int) -> WindowPrompt {
        WindowPrompt(
            model.tokenizer, sequence: sequence, context: model.shape.textContext, previous: context[contextStart...],
            hotwords: options.hotwords, prefix: seek == 0 ? options.prefix : nil,
            withoutTimestamps: options.withoutTimestamps)
    }

    /// A window's segments, not numbered yet, and where the next window begins.
    struct Step {
        var segments: [Segment] = []
        var next: Int
    }

    /// Takes the text of a window.
    ///
    /// - Parameters:
    ///   - window: The frames that were decoded, all of them sound.
    ///   - content: The frames of the whole sound, if they are known.
    ///   - decoder: Still has the window encoded, for the times of the words.
    func take(_ result: WindowDecoder.Result, of window: Range<Int>, content: Int?, decoder: WindowDecoder) throws
        -> Step
    {
        guard !options.takesForSilence(result) else { return Step(next: window.upperBound) }
        var (drafts, next, isComplete) = plan.splitter.split(result.tokens, seek: window.lowerBound, size: window.count)
        // Without timestamp rules the last pair may be at 0.00 s; that window is over all the same.
        if next <= window.lowerBound { next = window.upperBound }
        if options.wordTimestamps {
            try addWords(to: &drafts, window, decoder)
            if !isComplete, let end = drafts.lastWordEnd, end > seconds(window.lowerBound) { next = frame(end) }
            switch judge(drafts, window, content: content) {
            case .keep: break
            case .restart(let frame): return Step(next: frame)
            case .cut(let index, let frame):
                drafts.removeSubrange(index...)
                next = frame
            }
            lastSpeech = drafts.lastWordEnd ?? lastSpeech
        }
        let segments = drafts.compactMap { segment($0, result, seek: window.lowerBound) }
        context += segments.flatMap(\.tokens)
        if !options.conditionOnPreviousText || result.temperature > options.promptResetOnTemperature {
            contextStart = context.count
        }
        return Step(segments: segments, next: next)
    }

    private func addWords(to drafts: inout [SegmentDraft], _ window: Range<Int>, _ decoder: WindowDecoder) throws {
        let endOfText = model.tokenizer.specialTokens.endOfText
        let text = drafts.flatMap(\.tokens).filter { $0 < endOfText }
        // The prompt's last token is not part of the sequence when timestamps are off: alignment adds it itself.
        let start = options.withoutTimestamps ? sequence.dropLast() : sequence[...]
        let aligned = try decoder.align(text, sequence: Array(start), frames: window.count, language: language)
        WordTiming(aligned, merger: plan.merger).attach(
            to: &drafts, offset: seconds(window.lowerBound), lastSpeech: lastSpeech, endOfText: endOfText)
    }

    private func judge(_ drafts: [SegmentDraft], _ window: Range<Int>, content: Int?) -> HallucinationFilter.Verdict {
        guard let threshold = options.hallucinationSilenceThreshold else { return .keep }
        return HallucinationFilter(threshold: threshold).judge(
            drafts, window: seconds(window.lowerBound)..<seconds(window.upperBound),
            fullWindowEnd: seconds(window.lowerBound + plan.windowFrames), lastSpeech: lastSpeech, content: content)
    }

    /// The draft's segment; nil when it has no length or says nothing.
    private func segment(_ draft: SegmentDraft, _ result: WindowDecoder.Result, seek: Int) -> Segment? {
        let text = model.tokenizer.decode(draft.tokens)
        guard draft.start != draft.end, !text.trimmingWhitespace.isEmpty else { return nil }
        return Segment(
            id: 0, seek: seek, start: draft.start, end: draft.end, text: text, tokens: draft.tokens,
            temperature: result.temperature, averageLogProbability: result.averageLogProbability,
            compressionRatio: result.compressionRatio, noSpeechProbability: result.noSpeechProbability,
            language: plan.detectsEveryLanguage ? language : nil, words: draft.words)
    }

    private func seconds(_ frame: Int) -> Double { Double(frame) / 100 }

    private func frame(_ seconds: Double) -> Int { Int((seconds * 100).rounded(.toNearestOrEven)) }
}

extension TranscriptionPlan {
    fileprivate func sequence(language: String) throws -> [Int] {
        try model.tokenizer.sotSequence(
            language: language, task: options.task, withoutTimestamps: options.withoutTimestamps)
    }
}

extension DecodingOptions {
    fileprivate func takesForSilence(_ result: WindowDecoder.Result) -> Bool {
        guard let threshold = noSpeechThreshold, result.noSpeechProbability > threshold else { return false }
        // A probable text stands, whatever the model thinks of the silence.
        return logProbabilityThreshold.map { !(result.averageLogProbability > $0) } ?? true
    }
}
