import StenoCore
import StenoVoice

/// A text as it grows through the windows of a span: what it tells the next window, and what becomes of that window's
/// tokens.
final class Passage {
    /// Which windows come next.
    var cursor: WindowCursor
    /// Whether there are no more windows.
    private(set) var isOver = false

    let plan: TranscriptionPlan
    /// The language's code, and the tokens a window's text begins with.
    private(set) var language: String
    private(set) var sequence: [Int]
    /// Where the last word ended, in seconds.
    private(set) var lastSpeech = 0.0
    /// All tokens so far, and from where on they may be used as a prompt.
    private var context: [Int]
    private var contextStart = 0
    /// How many tokens there were before the last window.
    private var windowContext = 0
    /// Segments that have not been told yet.
    private var ready: [Segment] = []
    private var guards: WindowGuard?
    /// Whether a text that ends in mid-sentence is continued in the same window, when that has all that is left.
    private let continuesWindows: Bool
    /// The tokens of the last window's text when that is continued in the same window, the timestamp where it goes on
    /// included; empty when a window is decoded from its beginning.
    private(set) var known: [Int] = []

    var model: WhisperModel { plan.model }
    var options: DecodingOptions { plan.options }

    /// Starts with nothing said but the initial prompt.
    init(
        _ plan: TranscriptionPlan, language: String, _ cursor: WindowCursor, guards: WindowGuard? = nil,
        continuesWindows: Bool = false
    ) throws {
        // Words are aligned with a window from its beginning, guards judge a window's text as a whole, and a limit of
        // tokens is a window's.
        self.continuesWindows = continuesWindows && !plan.options.findsWords && plan.options.maxNewTokens == nil
        self.plan = plan
        self.cursor = cursor
        self.language = language
        self.guards = guards
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

    /// The prompt of the window at a frame.
    func prompt(at seek: Int) -> WindowPrompt {
        let knowsContext = guards?.wantsSecondText != true
        let end = known.isEmpty ? context.count : max(contextStart, windowContext)
        return plan.prompt(
            sequence: sequence, previous: knowsContext ? context[contextStart..<end] : [], withHotwords: knowsContext,
            isFirst: seek == 0, known: known)
    }

    /// Whether a prompt has the text before, or words to expect.
    private var hasContext: Bool { contextStart < context.count || !plan.hotwords.isEmpty }

    /// The segments, not numbered yet, that came since the last time.
    func takeSegments() -> [Segment] {
        defer { ready.removeAll() }
        return ready
    }

    /// What guards took out since the last time.
    func takeRemovals() -> [GuardRemoval] { guards?.takeRemovals() ?? [] }

    /// Whether a window with all that the span has left gave a text that ends before it does.
    ///
    /// The window is encoded, so to continue its text takes a fraction of the time of another window. Once only: what
    /// is then still left is decoded as a window of its own.
    private func breaksOff(_ step: WindowSegments, _ frames: Range<Int>) -> Bool {
        continuesWindows && cursor.reachesEnd(frames) && (frames.lowerBound + 1..<frames.upperBound).contains(step.next)
    }

    /// Nobody speaks in what voice activity detection leaves around speech, in frames.
    private var shortestRest: Int { max(10, (plan.voiceActivity?.speechPadMilliseconds ?? 0) / 10) }

    /// Adds the text of a window and moves on; false when the window is to be decoded once more, by what
    /// ``prompt(at:)`` is now: without the text before it, or from where its text breaks off.
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
        if breaksOff(step, window.frames) {
            if window.frames.upperBound - step.next <= shortestRest {
                step.next = window.frames.upperBound
            } else if known.isEmpty {
                known = plan.splitter.complete(result.tokens)
                return false
            }
        }
        known = []
        // Forward by a frame at least, whatever the tokens say: a window must not come twice.
        cursor.move(to: max(window.frames.lowerBound + 1, step.next))
        return true
    }
}

extension TranscriptionPlan {
    fileprivate func sequence(language: String) throws -> [Int] {
        try model.tokenizer.sotSequence(
            language: language, task: options.task, withoutTimestamps: options.withoutTimestamps)
    }
}
