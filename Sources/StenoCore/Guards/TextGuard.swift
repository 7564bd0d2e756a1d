/// Removes hallucinations from a text, one batch of passages after the other, for files and live audio.
///
///     var guards = TextGuard(GuardOptions(), prompts: ["Kowalczyk, Nguyen, Steno"])
///     let verdict = guards.check([words], speech: profile)
///     let kept = verdict.kept(of: [words])
///
/// It is a value that remembers the text so far; to check a text without remembering it, use a copy. It knows neither
/// the model nor the audio, only words with times and the speech probabilities around them.
package struct TextGuard: Sendable {
    /// The tolerance of word times, in seconds.
    private static let slack = 0.5
    /// The same for a repeated phrase, which must not be credited with neighbouring speech.
    private static let repetitionSlack = 0.1
    /// Text is suspect if less than this fraction of its time is speech.
    private static let littleSpeech = 0.2
    /// The length of the remembered text, in words.
    private static let memory = 250

    private let options: GuardOptions
    private let prompts: [[String]]
    /// The keys of the remembered text.
    private var heard: [String] = []
    private var lastEnd = -Double.infinity

    /// - Parameter prompts: Texts in the model's prompt that it may repeat: the initial prompt, the hotwords.
    package init(_ options: GuardOptions, prompts: [String] = []) {
        self.options = options
        self.prompts = prompts.map(GuardedText.keys)
    }

    /// Checks the next passages (segments, utterances or parts of them) and remembers the words that are kept.
    ///
    /// - Parameters:
    ///   - passages: The words of each, in order of time.
    ///   - speech: The speech probabilities in and around the passages; without them, only loops are found.
    package mutating func check(_ passages: [[Word]], speech: SpeechProfile?) -> GuardVerdict {
        let text = GuardedText(passages)
        var removed: [Int: GuardMark] = [:]
        var suspects: [Int: GuardMark] = [:]
        if options.repetition { findLoops(in: text, &removed) }
        if let speech {
            let repeated = options.promptRepetition ? repeatedPhrases(in: text) : []
            for phrase in text.phrases(without: removed, repeated: repeated) {
                if let repeated = phrase.repeated {
                    let reason = reasonToRemove(phrase, repeated, text, speech)
                    for item in phrase.items {
                        if let reason { removed[item] = GuardMark(kind: repeated.kind, reason: reason) }
                        if reason == nil, repeated.kind == .promptRepetition { suspects[item] = repeated }
                    }
                } else if options.silence, let reason = silence(under: phrase, text, speech) {
                    for item in phrase.items { removed[item] = GuardMark(kind: .noSpeech, reason: reason) }
                }
            }
        }
        remember(units: text.units.filter { removed[$0.item] == nil })
        lastEnd = text.items.last?.word.end ?? lastEnd
        return GuardVerdict(removed: text.spans(removed), suspects: text.spans(suspects))
    }

    /// Remembers words without checking them, because they are already final; a loop may continue from them.
    package mutating func remember(_ words: [Word]) {
        remember(units: GuardedText([words]).units)
        lastEnd = words.last?.end ?? lastEnd
    }

    private mutating func remember(units: some Sequence<GuardedText.Unit>) {
        heard = Array((heard + units.map(\.key)).suffix(Self.memory))
    }

    /// Marks loops, which may have begun in the preceding text.
    private func findLoops(
        in text: GuardedText, _ removed: inout [Int: GuardMark]
    ) {
        let keys = heard + text.units.map(\.key)
        for loop in Loops.find(in: keys, repeats: options.repeats, repeatedWords: options.repeatedWords) {
            let new = max(0, loop.repeated.lowerBound - heard.count)..<max(0, loop.repeated.upperBound - heard.count)
            let phrase = loop.period == 1 ? "a word" : "\(loop.period) words"
            for item in text.items(of: new) {
                removed[item] = GuardMark(kind: .repetition, reason: "\(phrase), \(loop.count) times in a row")
            }
        }
    }

    /// The phrases that occur in a prompt, in the preceding text, or among the known hallucinations.
    private func repeatedPhrases(in text: GuardedText) -> [Phrase] {
        let keys = text.units.map(\.key)
        func phrases(
            _ runs: [Range<Int>], _ kind: GuardAction.Kind, _ reason: String, letters: Double
        ) -> [Phrase] {
            runs.map(text.items).filter { GuardedText.letters(in: text.items[$0].map(\.word)) >= letters }
                .map { Phrase(items: $0, repeated: GuardMark(kind: kind, reason: reason)) }
        }
        let length = options.promptRepetitionWords
        let before = PromptRepetitions.find(in: heard + keys, from: heard.count, length: length)
            .map { $0.lowerBound - heard.count..<$0.upperBound - heard.count }
        return phrases(KnownHallucinations.find(in: keys), .knownHallucination, "a known hallucination", letters: 0)
            + phrases(
                PromptRepetitions.find(in: keys, of: prompts, length: length), .promptRepetition,
                "a repetition of the prompt", letters: PromptRepetitions.fewestPromptLetters)
            + phrases(
                before, .promptRepetition, "a repetition of the preceding text",
                letters: PromptRepetitions.fewestLetters)
    }

    /// The reason to remove a repeated phrase; nil if there is enough speech for it.
    private func reasonToRemove(_ phrase: Phrase, _ repeated: GuardMark, _ text: GuardedText, _ speech: SpeechProfile)
        -> String?
    {
        let words = text.items[phrase.items].map(\.word)
        let (start, end) = (words.first?.start ?? 0, words.last?.end ?? 0)
        let heard = speech.seconds(
            from: start - Self.repetitionSlack, to: end + Self.repetitionSlack, probability: options.speechProbability)
        let letters = GuardedText.letters(in: words)
        guard heard < letters / options.mostRepeatedLettersPerSecond else { return nil }
        return "\(repeated.reason); " + Self.evidence(letters, heard)
    }

    /// The reason to remove a phrase as hallucinated; nil if there is none.
    ///
    /// Word times are inexact and words may be too short, so two conditions must hold: most of the phrase's time is not
    /// speech, and the speech around it, up to the neighbouring words, is too short for so many letters.
    private func silence(under phrase: Phrase, _ text: GuardedText, _ speech: SpeechProfile) -> String? {
        let words = text.items[phrase.items].map(\.word)
        guard let first = words.first, let last = words.last else { return nil }
        let threshold = options.speechProbability
        let length = max(last.end - first.start, speech.step)
        let under = speech.seconds(from: first.start, to: first.start + length, probability: threshold)
        guard under < Self.littleSpeech * length else { return nil }
        let before = phrase.items.lowerBound > 0 ? text.items[phrase.items.lowerBound - 1].word.end : lastEnd
        let after =
            phrase.items.upperBound < text.items.count ? text.items[phrase.items.upperBound].word.start : .infinity
        let around = speech.seconds(
            from: max(first.start - Self.slack, min(before, first.start)),
            to: min(last.end + Self.slack, max(after, last.end)), probability: threshold)
        let letters = max(1, GuardedText.letters(in: words))
        guard around < letters / options.mostLettersPerSecond else { return nil }
        return Self.evidence(letters, around)
    }

    private static func evidence(_ letters: Double, _ seconds: Double) -> String {
        "\(Int(letters.rounded())) letters in \((seconds * 100).rounded() / 100) s of speech"
    }
}

/// The result of checking a text: the spans to remove, and those under suspicion.
package struct GuardVerdict: Sendable, Hashable {
    package struct Span: Sendable, Hashable {
        package var passage: Int
        package var words: Range<Int>
        /// The report on these words.
        package var action: GuardAction
    }

    package var removed: [Span] = []
    /// Prompt repetitions with enough speech to be genuine: decode again without that prompt, if possible, to decide.
    package var suspects: [Span] = []

    /// The passages without the removed words; passages keep their places, though some may be empty.
    package func kept(of passages: [[Word]]) -> [[Word]] { Self.removing(removed, from: passages) }

    package static func removing(_ spans: [Span], from passages: [[Word]]) -> [[Word]] {
        let gone = Dictionary(grouping: spans, by: \.passage).mapValues { Set($0.flatMap(\.words)) }
        return passages.enumerated().map { number, words in
            guard let gone = gone[number] else { return words }
            return words.indices.filter { !gone.contains($0) }.map { words[$0] }
        }
    }
}

/// Speech probabilities over time.
package struct SpeechProfile: Sendable, Hashable {
    /// Where the first window begins, in seconds.
    package let start: Double
    /// The duration of one window of the detector, in seconds.
    package let step: Double
    /// The probability of speech in each window.
    package private(set) var probabilities: [Float]

    package init(start: Double = 0, step: Double, probabilities: [Float] = []) {
        (self.start, self.step, self.probabilities) = (start, step, probabilities)
    }

    package mutating func append(_ next: some Sequence<Float>) { probabilities.append(contentsOf: next) }

    /// The duration of speech between two times, in seconds: windows with at least this probability.
    ///
    /// - Parameters:
    ///   - from: Seconds from the start of the audio; may be infinite.
    ///   - to: The same; the result is 0 if it is before `from`.
    ///   - probability: From 0 to 1.
    ///   - claimed: Windows whose centre lies in one of these ranges are not counted.
    package func seconds(
        from: Double, to: Double, probability: Double, outside claimed: [ClosedRange<Double>] = []
    ) -> Double {
        guard from < to, !probabilities.isEmpty else { return 0 }
        let first = window(from - start, probabilities.count)
        let last = window(to - start, probabilities.count - 1)
        guard first <= last else { return 0 }
        return (first...last).reduce(0) { total, window in
            guard Double(probabilities[window]) >= probability else { return total }
            let begin = start + Double(window) * step
            guard !claimed.contains(where: { $0.contains(begin + step / 2) }) else { return total }
            return total + max(0, min(to, begin + step) - max(from, begin))
        }
    }

    private func window(_ seconds: Double, _ limit: Int) -> Int {
        guard seconds > 0 else { return 0 }
        let window = seconds / step
        return window < Double(limit) ? Int(window) : limit
    }
}
