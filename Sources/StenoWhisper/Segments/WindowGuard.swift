import StenoCompute
import StenoCore
import StenoVoiceActivity

/// Applies the guards to the windows of a passage.
///
/// A window with suspect text is decoded a second time without the preceding text, the most common cause of
/// hallucinations. Text that appears again was spoken, and speech that the hallucination had displaced is recovered.
struct WindowGuard {
    /// The duration of speech without words, in seconds, that justifies a second decoding.
    private static let leastUnaccountedSpeech = 1.0
    /// How many seconds of speech without words the second decoding may have beyond the first.
    private static let tolerance = 0.5
    /// Speech within this many seconds of a word is attributed to that word.
    private static let slack = 0.2
    /// How far before its window a text may have been spoken, in frames.
    private static let reach = 200
    /// How far apart two decodings may place the same words, in seconds.
    private static let sameTime = 1.0

    private let options: GuardOptions
    private let monitor: SpeechMonitor
    private let tokenizer: Tokenizer
    private let start: TextGuard
    private var text: TextGuard
    /// The result of a window's first decoding, while the second is pending.
    private var pending: Trial?
    /// The start of the previous window.
    private var lastFrame = -1
    private var removals: [GuardRemoval] = []

    /// - Parameters:
    ///   - monitor: Provides the speech probabilities of the audio that the windows are cut from.
    ///   - prompts: Texts in the model's prompt that it may repeat.
    init(_ options: GuardOptions, _ monitor: SpeechMonitor, tokenizer: Tokenizer, prompts: [String]) {
        (self.options, self.monitor, self.tokenizer) = (options, monitor, tokenizer)
        start = TextGuard(options, prompts: prompts)
        text = start
    }

    /// Whether the window must be decoded again without the preceding text.
    var needsSecondDecoding: Bool { pending != nil }

    /// Returns the text removed since the last call.
    mutating func takeRemovals() -> [GuardRemoval] {
        defer { removals.removeAll() }
        return removals
    }

    /// Removes hallucinations from a window's text; nil if a second decoding is needed first.
    ///
    /// - Parameters:
    ///   - step: The text of the first decoding, or of the second if one was requested.
    ///   - window: The frames it was decoded from.
    ///   - hasContext: Whether the prompt contained preceding text or words to expect.
    mutating func filter(_ step: WindowSegments, of window: Range<Int>, hasContext: Bool) -> WindowSegments? {
        if let first = pending {
            pending = nil
            return choose(first, trial(step, window))
        }
        // A clip may go back in time, where repeated text is legitimate.
        if window.lowerBound <= lastFrame { text = start }
        lastFrame = window.lowerBound
        let first = trial(step, window)
        guard hasContext, first.isSuspect else { return accept(first) }
        pending = first
        return nil
    }

    /// The result of checking one decoding of a window, and the guard's state after it.
    private struct Trial {
        let step: WindowSegments
        let verdict: GuardVerdict
        let text: TextGuard
        /// The seconds of speech that no kept word accounts for.
        let wordless: Double

        var findings: [GuardVerdict.Span] { verdict.removed + verdict.suspects }
        var passages: [[Word]] { step.segments.map { $0.words ?? [] } }
        var isSuspect: Bool {
            !verdict.suspects.isEmpty || !verdict.removed.isEmpty && wordless >= WindowGuard.leastUnaccountedSpeech
        }

        func removals(_ spans: [GuardVerdict.Span]) -> [GuardRemoval] {
            spans.map { GuardRemoval(action: $0.action, words: Array(passages[$0.passage][$0.words])) }
        }

        /// Whether a text is among the kept words at about the same time, ignoring punctuation and case.
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
        // Text that both decodings contain is reported once.
        let removed = trial.verdict.removed
        let reported = (other?.findings ?? []).filter { earlier in
            !trial.says(earlier.action) && !removed.contains { $0.action.text == earlier.action.text }
        }
        removals += (other?.removals(reported) ?? []) + trial.removals(removed)

        var step = trial.step
        guard other != nil || !removed.isEmpty else { return step }
        let kept = trial.verdict.kept(of: trial.passages)
        step.segments = zip(step.segments, kept).compactMap { $0.keeping($1, tokenizer) }
        // A segment may consist of the bytes of an incomplete character; without any word it is dropped.
        if kept.allSatisfy(\.isEmpty) { step.segments = [] }
        step.lastSpeech = kept.joined().last?.end
        if other != nil || removed.contains(where: { $0.action.kind != .noSpeech }) { step.endsContext = true }
        return step
    }
}

/// Text removed from a window, with its words, whose times lie within the window.
struct GuardRemoval {
    var action: GuardAction
    var words: [Word]
}

/// The speech probabilities of audio, computed while it is read.
///
/// One number is kept per 32 ms: half a megabyte per hour.
final class SpeechMonitor {
    /// The speech probability of each window read so far.
    private(set) var probabilities: [Float] = []

    private var stream: VoiceActivityStream

    init(detector: any VoiceActivityDetector) { stream = VoiceActivityStream(detector) }

    /// The audio of a source, which is monitored as it is read; for one source.
    func tap(_ source: any SampleSource) -> any SampleSource {
        SampleTap(source) {
            self.probabilities += self.stream.push($0)
        } onEnd: {
            self.probabilities += self.stream.finish()
        }
    }

    /// The speech probabilities of a range of samples, in whole windows.
    ///
    /// Once the range has been read, the result does not depend on how much further the source has been read.
    func profile(of samples: Range<Int>) -> SpeechProfile {
        let first = max(0, samples.lowerBound) / VoiceActivity.windowLength
        let end = min(samples.upperBound / VoiceActivity.windowLength, probabilities.count)
        return SpeechProfile(
            start: Double(first) * VoiceActivity.windowSeconds, step: VoiceActivity.windowSeconds,
            probabilities: Array(probabilities[min(first, end)..<end]))
    }
}

extension Segment {
    /// The segment reduced to some of its words; nil if there are none.
    ///
    /// Its tokens are re-encoded from the remaining text, between the segment's timestamps.
    func keeping(_ kept: [Word], _ tokenizer: Tokenizer) -> Segment? {
        guard let words, kept.count < words.count else { return self }
        guard let first = kept.first, let last = kept.last else { return nil }
        let begin = tokenizer.specialTokens.timestampBegin
        let tokens = whisper?.tokens ?? []
        let opening = tokens.first.map { $0 >= begin ? [$0] : [] } ?? []
        let closing = tokens.count > 1 ? tokens.last.map { $0 >= begin ? [$0] : [] } ?? [] : []
        var segment = self
        segment.words = kept
        segment.text = kept.map(\.rawText).joined()
        segment.start = first.start
        segment.end = max(first.start, last.end)
        segment.whisper?.tokens = opening + tokenizer.encode(segment.text) + closing
        return segment
    }
}
