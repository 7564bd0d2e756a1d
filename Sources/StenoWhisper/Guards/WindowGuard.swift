import StenoCore

/// Guards over the windows of a passage.
///
/// Where a window's text looks wrong, the window is decoded once more without the text before it, which is what most
/// made-up text comes from. What is then still there was said; what was hidden behind the made-up text comes to light.
struct WindowGuard {
    /// So much speech without words, in seconds, is worth a second decoding.
    private static let muchSpeech = 1.0
    /// By so much less speech may have words after it.
    private static let tolerance = 0.5
    /// How far around a word speech is taken for that word's, in seconds.
    private static let slack = 0.2
    /// How far before its window a text may have been said, in frames.
    private static let reach = 200
    /// How far apart, in seconds, two decodings may place the same words.
    private static let sameTime = 1.0

    private let options: GuardOptions
    private let monitor: SpeechMonitor
    private let tokenizer: Tokenizer
    private let start: TextGuard
    private var text: TextGuard
    /// A window's first text, while the second is looked for.
    private var doubted: Trial?
    /// Where the window before began.
    private var lastFrame = -1
    private var removals: [GuardRemoval] = []

    /// Starts a text.
    ///
    /// - Parameters:
    ///   - monitor: Listens to the audio that the windows are cut from.
    ///   - prompts: What the model is told and may echo, each text by itself.
    init(_ options: GuardOptions, _ monitor: SpeechMonitor, tokenizer: Tokenizer, prompts: [String]) {
        self.options = options
        self.monitor = monitor
        self.tokenizer = tokenizer
        start = TextGuard(options, prompts: prompts)
        text = start
    }

    /// Whether the window is to be decoded once more, without the text before it.
    var wantsSecondText: Bool { doubted != nil }

    /// What was taken out since the last time.
    mutating func takeRemovals() -> [GuardRemoval] {
        defer { removals.removeAll() }
        return removals
    }

    /// Takes out of a window's text what nobody said; nil when a second text is wanted first.
    ///
    /// - Parameters:
    ///   - step: The text; the second one when that was wanted.
    ///   - window: The frames it was decoded from.
    ///   - hasContext: Whether the decoder was told of the text before, or of words to expect.
    mutating func filter(_ step: WindowSegments, of window: Range<Int>, hasContext: Bool) -> WindowSegments? {
        if let first = doubted {
            doubted = nil
            return choose(first, trial(step, window))
        }
        // A clip may go back in the audio: what comes again there is no echo.
        if window.lowerBound <= lastFrame { text = start }
        lastFrame = window.lowerBound
        let first = trial(step, window)
        guard hasContext, first.isDoubtful else { return accept(first) }
        doubted = first
        return nil
    }

    /// A window's text as it was judged, and how the text goes on with it.
    private struct Trial {
        let step: WindowSegments
        let verdict: GuardVerdict
        let text: TextGuard
        /// The seconds of speech that have no words, when all that is kept has its own.
        let wordless: Double

        /// What is removed, and what is only suspected.
        var findings: [GuardVerdict.Span] { verdict.removed + verdict.suspects }
        var passages: [[Word]] { step.segments.map { $0.words ?? [] } }
        var isDoubtful: Bool {
            !verdict.suspects.isEmpty || !verdict.removed.isEmpty && wordless >= WindowGuard.muchSpeech
        }

        func removals(_ spans: [GuardVerdict.Span]) -> [GuardRemoval] {
            spans.map { GuardRemoval(action: $0.action, words: Array(passages[$0.passage][$0.words])) }
        }

        /// Whether a text is among what is kept, about where it stood; punctuation and capitals aside.
        func says(_ action: GuardAction) -> Bool {
            let kept = GuardedText(verdict.kept(of: passages))
            let keys = kept.units.map(\.key), wanted = GuardedText.keys(of: action.text)
            return keys.indices.contains { index in
                guard keys[index...].starts(with: wanted) else { return false }
                let words = kept.items[kept.items(of: index..<index + max(1, wanted.count))].map(\.word)
                guard let first = words.first, let last = words.last else { return false }
                return first.start <= action.end + WindowGuard.sameTime
                    && last.end >= action.start - WindowGuard.sameTime
            }
        }
    }

    private func trial(_ step: WindowSegments, _ window: Range<Int>) -> Trial {
        var text = text
        let passages = step.segments.map { $0.words ?? [] }
        let profile = monitor.profile(
            of: (window.lowerBound - Self.reach) * LogMel.hopLength..<window.upperBound * LogMel.hopLength)
        let verdict = text.check(passages, speech: profile)
        let believed = GuardVerdict.removing(verdict.removed + verdict.suspects, from: passages)
        let spans = believed.joined().map { $0.start - Self.slack...max($0.start, $0.end) + Self.slack }
        let wordless = profile.seconds(
            from: Double(window.lowerBound) / 100, to: Double(min(window.upperBound, step.next)) / 100,
            probability: options.speechProbability, outside: spans)
        return Trial(step: step, verdict: verdict, text: text, wordless: wordless)
    }

    private mutating func choose(_ first: Trial, _ second: Trial) -> WindowSegments {
        let isSaid = first.verdict.suspects.allSatisfy { second.says($0.action) }
        if first.verdict.removed.isEmpty, isSaid { return accept(first) }
        guard second.wordless <= first.wordless + Self.tolerance else { return accept(first) }
        return accept(second, insteadOf: first)
    }

    private mutating func accept(_ trial: Trial, insteadOf other: Trial? = nil) -> WindowSegments {
        text = trial.text
        // What neither decoding is believed in is told once.
        let removed = trial.verdict.removed
        let told = (other?.findings ?? []).filter { earlier in
            !trial.says(earlier.action) && !removed.contains { $0.action.text == earlier.action.text }
        }
        removals += (other?.removals(told) ?? []) + trial.removals(removed)

        var step = trial.step
        guard other != nil || !removed.isEmpty else { return step }
        let kept = trial.verdict.kept(of: trial.passages)
        step.segments = zip(step.segments, kept).compactMap { $0.keeping($1, tokenizer) }
        // The pieces of a letter can be a segment of their own; without any word they are nothing.
        if kept.allSatisfy(\.isEmpty) { step.segments = [] }
        step.lastSpeech = kept.joined().last?.end
        if other != nil || removed.contains(where: { $0.action.kind != .noSpeech }) { step.endsContext = true }
        return step
    }
}
