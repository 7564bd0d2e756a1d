import StenoCore

/// The text of a span as it grows window by window: the context for the next window, and the segments so far.
final class Passage {
    /// The windows still to come.
    var cursor: WindowCursor
    private(set) var isOver = false

    let plan: TranscriptionPlan
    /// The language's code, and the tokens at the start of each window's transcript.
    private(set) var language: String
    private(set) var sequence: [Int]
    /// The end of the last word, in seconds.
    private(set) var lastSpeech = 0.0
    /// All tokens so far, and the index from which they may be used as context.
    private var context: [Int]
    private var contextStart = 0
    /// The number of tokens before the last window.
    private var windowContext = 0
    /// Segments that have not been reported yet.
    private var ready: [Segment] = []
    private var guards: WindowGuard?
    let presence: SpeechPresence?
    /// Whether a text that ends in mid-sentence is continued in the same window, if that window holds all remaining
    /// audio.
    private let continuesWindows: Bool
    /// The tokens to continue from, including the timestamp of that point, if the last window's text is continued in
    /// the same window; empty if a window is decoded from its start.
    private(set) var known: [Int] = []

    var model: WhisperModel { plan.model }
    var options: TranscriptionOptions { plan.options }
    var whisper: WhisperOptions { plan.whisper }

    /// Starts a text that has only the initial prompt as context.
    init(
        _ plan: TranscriptionPlan, language: String, _ cursor: WindowCursor, guards: WindowGuard? = nil,
        continuesWindows: Bool = false, presence: SpeechPresence? = nil
    ) throws {
        // Not with word alignment, which covers a window from its start; nor with guards, which check a window's text
        // as a whole; nor with a token limit, which applies to a window.
        self.continuesWindows = continuesWindows && !plan.options.findsWords && plan.whisper.maxNewTokens == nil
        (self.plan, self.cursor, self.language, self.guards, self.presence) = (plan, cursor, language, guards, presence)
        sequence = try plan.sequence(language: language)
        context = plan.initialContext
    }

    func end() { isOver = true }

    func change(language: String) throws {
        sequence = try plan.sequence(language: language)
        self.language = language
    }

    func prompt(at seek: Int) -> WindowPrompt {
        let knowsContext = guards?.needsSecondDecoding != true
        let end = known.isEmpty ? context.count : max(contextStart, windowContext)
        return plan.prompt(
            sequence: sequence, previous: knowsContext ? context[contextStart..<end] : [], withHotwords: knowsContext,
            isFirst: seek == 0, known: known)
    }

    /// Whether prompts contain preceding text or words to expect.
    private var hasContext: Bool { contextStart < context.count || !plan.hotwords.isEmpty }

    /// Returns the segments, not yet numbered, added since the last call.
    func takeSegments() -> [Segment] {
        defer { ready.removeAll() }
        return ready
    }

    /// Returns the text the guards removed since the last call.
    func takeRemovals() -> [GuardRemoval] { guards?.takeRemovals() ?? [] }

    /// Whether the text ends before its window does, and the window holds all that remains of the span.
    ///
    /// The window is already encoded, so continuing its text takes a fraction of the time of another window. This is
    /// done once only; the rest is decoded as a separate window.
    private func endsEarly(_ step: WindowSegments, _ frames: Range<Int>) -> Bool {
        continuesWindows && cursor.reachesEnd(frames) && (frames.lowerBound + 1..<frames.upperBound).contains(step.next)
    }

    /// The shortest rest that may contain speech, in frames: voice activity detection leaves silence around speech.
    private var shortestRest: Int {
        // Whole milliseconds first, so that 0.29 s is not 28 frames.
        let milliseconds = Int(((plan.voiceActivity?.speechPadSeconds ?? 0) * 1000).rounded())
        return max(10, milliseconds / 10)
    }

    /// Adds a window's text and moves on; returns false if the window must be decoded again with the current
    /// ``prompt(at:)``: without the preceding text, or from where its text ended.
    func add(_ result: WindowText, of window: Window) throws -> Bool {
        var step = try read(result, window)
        if guards != nil {
            guard let judged = guards?.filter(step, of: window.frames, hasContext: hasContext) else { return false }
            step = judged
        }
        ready += step.segments
        if known.isEmpty { windowContext = context.count }
        context += step.segments.flatMap { $0.whisper?.tokens ?? [] }
        if step.endsContext { contextStart = context.count }
        lastSpeech = step.lastSpeech ?? lastSpeech
        if endsEarly(step, window.frames) {
            if window.frames.upperBound - step.next <= shortestRest {
                step.next = window.frames.upperBound
            } else if known.isEmpty {
                known = plan.splitter.complete(result.tokens)
                return false
            }
        }
        known = []
        // By at least one frame, whatever the tokens say, so that no window is decoded forever.
        cursor.move(to: max(window.frames.lowerBound + 1, step.next))
        return true
    }
}

extension TranscriptionPlan {
    fileprivate func sequence(language: String) throws -> [Int] {
        try model.tokenizer.sotSequence(
            language: language, task: options.task, withoutTimestamps: whisper.withoutTimestamps)
    }
}
