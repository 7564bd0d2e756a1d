/// A text as it grows through the windows of a span: what it tells the next window, and what becomes of that window's
/// tokens.
final class Passage {
    /// Which windows come next.
    var cursor: WindowCursor
    /// Whether there are no more windows.
    private(set) var isOver = false

    private let plan: TranscriptionPlan
    /// The language's code, and the tokens a window's text begins with.
    private var language: String
    private var sequence: [Int]
    /// All tokens so far, and from where on they may be used as a prompt.
    private var context: [Int]
    private var contextStart = 0
    /// Where the last word ended, in seconds.
    private var lastSpeech = 0.0
    /// Segments that have not been told yet.
    private var ready: [Segment] = []

    private var model: WhisperModel { plan.model }
    private var options: DecodingOptions { plan.options }

    /// Starts with nothing said but the initial prompt.
    init(_ plan: TranscriptionPlan, language: String, _ cursor: WindowCursor) throws {
        self.plan = plan
        self.cursor = cursor
        self.language = language
        sequence = try plan.sequence(language: language)
        context = plan.initialContext
    }

    /// Says that there are no more windows.
    func end() { isOver = true }

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

    /// The segments, not numbered yet, that came since the last time.
    func takeSegments() -> [Segment] {
        defer { ready.removeAll() }
        return ready
    }

    /// A window that has been decoded, and the lane of the decoder that still has it encoded.
    struct Window {
        /// The frames, all of them sound.
        var frames: Range<Int>
        /// The frames of the whole sound, if they are known.
        var content: Int?
        var decoder: WindowDecoder
        var lane: Int
    }

    /// Takes the text of a window and moves on.
    func take(_ result: WindowDecoder.Result, of window: Window) throws {
        let next = try add(result, window)
        // Forward by a frame at least, whatever the tokens say: a window must not come twice.
        cursor.move(to: max(window.frames.lowerBound + 1, next))
    }

    /// Adds the text of a window; returns where the next one begins.
    private func add(_ result: WindowDecoder.Result, _ window: Window) throws -> Int {
        let seek = window.frames.lowerBound, end = window.frames.upperBound
        guard !options.takesForSilence(result) else { return end }
        var (drafts, next, isComplete) = plan.splitter.split(result.tokens, seek: seek, size: window.frames.count)
        // Without timestamp rules the last pair may be at 0.00 s; that window is over all the same.
        if next <= seek { next = end }
        if options.wordTimestamps {
            try addWords(to: &drafts, window)
            if !isComplete, let end = drafts.lastWordEnd, end > seconds(seek) { next = frame(end) }
            switch judge(drafts, window) {
            case .keep: break
            case .restart(let frame): return frame
            case .cut(let index, let frame):
                drafts.removeSubrange(index...)
                next = frame
            }
            lastSpeech = drafts.lastWordEnd ?? lastSpeech
        }
        let segments = drafts.compactMap { segment($0, result, seek: seek) }
        ready += segments
        context += segments.flatMap(\.tokens)
        if !options.conditionOnPreviousText || result.temperature > options.promptResetOnTemperature {
            contextStart = context.count
        }
        return next
    }

    private func addWords(to drafts: inout [SegmentDraft], _ window: Window) throws {
        let endOfText = model.tokenizer.specialTokens.endOfText
        let text = drafts.flatMap(\.tokens).filter { $0 < endOfText }
        // The prompt's last token is not part of the sequence when timestamps are off: alignment adds it itself.
        let start = options.withoutTimestamps ? sequence.dropLast() : sequence[...]
        let aligned = try window.decoder.align(
            text, sequence: Array(start), frames: window.frames.count, language: language, lane: window.lane)
        WordTiming(aligned, merger: plan.merger).attach(
            to: &drafts, offset: seconds(window.frames.lowerBound), lastSpeech: lastSpeech, endOfText: endOfText)
    }

    private func judge(_ drafts: [SegmentDraft], _ window: Window) -> HallucinationFilter.Verdict {
        guard let threshold = options.hallucinationSilenceThreshold else { return .keep }
        let frames = window.frames
        return HallucinationFilter(threshold: threshold).judge(
            drafts, window: seconds(frames.lowerBound)..<seconds(frames.upperBound),
            fullWindowEnd: seconds(frames.lowerBound + plan.windowFrames), lastSpeech: lastSpeech,
            content: window.content)
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
