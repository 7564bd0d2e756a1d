import StenoCore
import StenoVoiceActivity

/// Decides which words of an utterance's hypotheses are final and which are shown.
///
/// A word becomes final when consecutive decodings have agreed on it (LocalAgreement, Macháček et al. 2023) for so long
/// that it is unlikely to change, when a pause follows it (``FinalRule``), or when its utterance has ended. Final words
/// are never changed, only continued. A later decoding may read them differently: ``HypothesisSeam`` finds where it
/// continues them. This keeps the words; the rules that judge them, also ``HypothesisCheck`` and ``DisplayRule``, keep
/// nothing.
///
/// Punctuation never becomes final by itself. A mark after a final word waits for the next word or the end of the
/// utterance.
struct Commitment: Sendable {
    /// The text before the audio of the utterance.
    private(set) var context: [TextPiece]
    /// The end of the last final word, in samples: no word begins before it.
    private(set) var lastWord = 0
    /// The final words whose audio is still decoded.
    private(set) var committed: [LiveWord] = []
    /// Whether any word of the utterance is final, including trimmed ones.
    private(set) var hasFinals = false
    /// The end of the audio of the newest hypothesis.
    private(set) var heardTo = 0
    /// Punctuation after the last final word, which waits for the next word or the end of the utterance.
    private var marks: [LiveWord] = []

    private let options: LiveOptions
    private let finality: FinalRule
    private let display: DisplayRule
    private var guards: TextGuard?
    private var vocabulary: [String]
    private var utterance = 0
    private var quick = PendingText(isThorough: false)
    private var thorough = PendingText(isThorough: true)
    private var shown: [LiveWord] = []
    /// The first sample of the utterance's own speech.
    private var speechFrom = 0
    /// Whether the text of the utterance may be the context of others.
    private var isUsable = true
    /// Whether the newest hypothesis is plausible to its end, without a loop.
    private var isPlausible = false
    /// Whether the newest hypothesis fills most of the model's room for text.
    private(set) var isFull = false

    init(_ options: LiveOptions, agreesTwice: Bool = false) {
        self.options = options
        finality = FinalRule(options.balance, agreesTwice: agreesTwice)
        display = DisplayRule(showAfter: options.showAfter.samples, agreesTwice: agreesTwice)
        context = options.prompt.map { [TextPiece($0)] } ?? []
        vocabulary = options.vocabulary
        guards = makeGuards()
    }

    /// The final words and the following words of a quick decoding: the next decoding probably begins the same way.
    var draft: [TextPiece] { (committed + quick.words.map(\.word)).pieces }

    /// The newest text after the final words.
    private var newest: PendingText { thorough.heardTo > quick.heardTo ? thorough : quick }

    /// Whether a word that has ended waits for more evidence, and delays all words after it.
    var isHeldUp: Bool {
        newest.words.first { !$0.word.isPunctuation }.map { $0.word.end < heardTo - Self.delay } ?? false
    }

    /// The longest time a word may wait before a thorough decoding is worthwhile.
    private static let delay = 0.3.samples

    // MARK: Utterances

    /// - Parameters:
    ///   - utterance: The utterance with only its own audio.
    ///   - isContinued: Whether it is decoded with the audio of the utterance before it, whose words are final.
    mutating func begin(_ utterance: Utterance, after previous: SpeechSettings, isContinued: Bool) {
        self.utterance = utterance.id
        if !isContinued {
            context = isUsable ? extended(by: committed) : []
            committed = []
        }
        hasFinals = false
        marks = []
        isUsable = true
        speechFrom = utterance.heardFrom
        heardTo = utterance.start
        forgetHypotheses()
        shown = []
        (isPlausible, isFull) = (false, false)
        let settings = utterance.settings
        // Text in another language, or a transcript before a translation, would mislead the model.
        if settings.language != previous.language || settings.task != previous.task { context = [] }
        if settings.vocabulary != vocabulary {
            vocabulary = settings.vocabulary
            guards = makeGuards()
        }
    }

    /// Forgets the text so far; the times of later words still follow those of earlier ones.
    mutating func clear() {
        (context, committed, marks) = ([], [], [])
        guards = makeGuards()
    }

    /// The punctuation that follows the last final word, once the utterance has ended; without a word there is none.
    mutating func takeMark() -> String {
        defer { marks = [] }
        return hasFinals ? marks.map(\.text).joined() : ""
    }

    /// Drops earlier hypotheses, because their language was wrong.
    mutating func forgetHypotheses() {
        quick.clear()
        thorough.clear()
    }

    /// Whether the next utterance may be decoded together with this one.
    var isContinuable: Bool { isUsable && !committed.isEmpty }

    // MARK: Hypotheses

    /// Handles a hypothesis while the utterance is open: commits the agreed words, and shows the rest.
    ///
    /// - Parameters:
    ///   - read: Its words after the final ones.
    ///   - shows: Whether the text may be shown; if not, the displayed text stays.
    mutating func take(
        _ read: [LiveWord], of hypothesis: UtteranceHypothesis, _ done: LiveDecoding, commits: Bool, shows: Bool
    ) -> [LiveAction] {
        heardTo = done.span.upperBound
        isFull = hypothesis.isLong
        isPlausible =
            !hypothesis.isImplausible
            && HypothesisCheck.isSpeakable(read, from: max(done.span.lowerBound, lastWord), to: heardTo)
        guard isPlausible else { return [] }
        // The rest is neither shown nor made final while the utterance is open: the next decoding may have no loop, and
        // guards check the last one.
        let words = Array(read.prefix(HypothesisCheck.countBeforeLoop(read, guards)))
        isPlausible = words.count == read.count
        let kind: WritableKeyPath<Self, PendingText> = done.isThorough ? \.thorough : \.quick
        let known = words.agreement(with: self[keyPath: kind].words.map(\.word))
        self[keyPath: kind].update(with: words, voice: hypothesis.meanProbability, heardTo: heardTo)
        let agreed = commits ? finality.safeCount(self[keyPath: kind], beside: thorough) : 0
        let final = commit(words[..<agreed], remember: true)
        guard shows else { return agreed > 0 ? final + show(shown, hasCommitted: true) : final }
        let twice = words[..<known].last?.end ?? 0
        let audible = display.words(of: thorough, and: quick, twice: twice, heardTo: heardTo)
        return final + show(audible, hasCommitted: agreed > 0)
    }

    /// Makes the words before a pause final: they cannot grow any more.
    ///
    /// Punctuation after the last one stays open, since it depends on what follows.
    mutating func settle(before pause: Range<Int>, speech: SpeechProfile) -> [LiveAction] {
        guard isPlausible, heardTo >= pause.lowerBound else { return [] }
        let (count, isAll) = finality.settledCount(
            newest, before: pause.lowerBound, after: lastKey, guards: guards, speech: speech)
        guard count > 0 else { return [] }
        let words = newest.words.map(\.word)
        let final = commit(words[..<count], remember: true)
        // Words after a doubtful word stay visible, because they may be right; hallucinations do not.
        let rest = isAll ? shown.prefix { $0.start < pause.lowerBound } : []
        return final + show(Array(rest), hasCommitted: true)
    }

    /// Takes the last hypothesis of the utterance: all of its text except hallucinations becomes final.
    ///
    /// - Parameter read: Its words after the final ones.
    mutating func finish(
        with read: [LiveWord], of hypothesis: UtteranceHypothesis, _ done: LiveDecoding, speech: SpeechProfile
    ) -> [LiveAction] {
        var words = hypothesis.isSilence && !hasFinals ? [] : read
        let heard = newest.words.map(\.word).prefix { $0.end <= done.span.upperBound }
        if isPlausible, words[...].isCutShort(of: heard) { words = Array(heard) }
        var actions: [LiveAction] = []
        var kept = words
        // A punctuation mark by itself is not a hallucination.
        if words[...].spokenCount > 0, let verdict = guards?.check([words.map(\.word)], speech: speech) {
            actions += verdict.removed.map { .guarded($0.action) }
            let gone = Set(verdict.removed.flatMap(\.words))
            kept = words.indices.filter { !gone.contains($0) }.map { words[$0] }
        }
        if kept[...].spokenCount > 0 {
            actions += commit(kept[...], remember: false)
        } else if hasFinals {
            // If all words were removed, punctuation before them belongs to the last final word.
            let found = Array(kept.prefix(words.prefix(while: \.isPunctuation).count))
            if !found.isEmpty { marks = found }
            // An utterance that is decoded together with this one repeats them.
            committed += found
            lastWord = max(lastWord, found.last?.end ?? 0)
        }
        isUsable = !hypothesis.isSampled
        return actions
    }

    /// Handles the text of a streaming model, which decides itself which words are final; guards do not apply.
    mutating func hear(_ hypothesis: UtteranceHypothesis, _ done: LiveDecoding) -> [LiveAction] {
        heardTo = done.span.upperBound
        let heard = hypothesis.words.map { LiveWord($0, origin: done.origin) }
        let words = (marks + heard).ordered(after: lastWord)
        var count = done.isLast ? words.count : marks.count + min(max(hypothesis.finalCount, 0), heard.count)
        marks = []
        if words[..<count].spokenCount == 0 {
            marks = Array(words[..<count])
            count = 0
        }
        let final = commit(words[..<count], remember: false)
        context = extended(by: done.isLast ? committed + marks : committed)
        committed = []
        return final + show(Array(words[count...]), hasCommitted: count > 0)
    }

    /// Whether the final words and their audio misled a decoding: it has nothing after them, or omits speech.
    ///
    /// - Parameter read: The words after the final ones.
    func isMisled(_ read: [LiveWord], of done: LiveDecoding, speech: SpeechProfile) -> Bool {
        guard !committed.isEmpty else { return false }
        guard read[...].spokenCount > 0 else { return done.isLast && !hasFinals }
        return HypothesisCheck.omitsSpeech(read, from: max(lastWord, speechFrom), isLast: done.isLast, speech)
    }

    // MARK: Trimming

    /// Trims the beginning of a long utterance at a final word, preferably at the end of a phrase, and leaves enough audio as
    /// context for what follows.
    ///
    /// - Returns: The sample before which the audio is no longer needed.
    mutating func trim(from start: Int) -> Int? {
        guard let kept = TrimRule.count(committed, heardTo: heardTo) else { return nil }
        let cut = (committed[kept - 1].end + committed[kept].start) / 2
        guard cut > start else { return nil }
        context = extended(by: Array(committed[..<kept]))
        committed.removeFirst(kept)
        return cut
    }

    /// Whether speech continues without text: a model that writes a heading may end the text after it.
    ///
    /// - Parameter silence: The silence so far, in samples.
    func isStalled(silence: Int) -> Bool {
        isPlausible && !committed.isEmpty && newest.words.allSatisfy(\.word.isPunctuation)
            && heardTo - silence - max(lastWord, speechFrom) > HypothesisCheck.longestStall
    }

    /// Trims all final text, so that the next decoding begins with the audio after it.
    ///
    /// - Returns: The sample before which the audio is no longer needed.
    mutating func trimAll() -> Int {
        // No later decoding hears what the punctuation after it follows.
        if hasFinals { marks = Array(newest.words.map(\.word).prefix(while: \.isPunctuation)) }
        context = extended(by: committed)
        committed = []
        forgetHypotheses()
        return lastWord
    }

    /// The words of a hypothesis after the final ones.
    func words(of hypothesis: UtteranceHypothesis, _ done: LiveDecoding) -> [LiveWord] {
        let all = hypothesis.words.map { LiveWord($0, origin: done.origin) }
        var rest = all[HypothesisSeam.index(in: all, after: committed)...]
        if committed.last?.isPunctuation == true { rest = rest.drop(while: \.isPunctuation) }
        return Array(rest).ordered(after: lastWord).withoutRepetitions(after: lastKey)
    }

    /// The key of the last final word whose audio is still decoded.
    private var lastKey: String? { committed.last { !$0.isPunctuation }?.key }

    /// Makes words final, at least one of which is not punctuation, and removes them from the pending ones.
    private mutating func commit(_ words: ArraySlice<LiveWord>, remember: Bool) -> [LiveAction] {
        guard let last = words.last else { return [] }
        if remember { guards?.remember(words.map(\.word)) }
        committed += words
        hasFinals = true
        lastWord = max(lastWord, last.end)
        let final = Array(words)
        quick.drop(final)
        thorough.drop(final)
        shown.removeFirst(HypothesisSeam.index(in: shown, after: final))
        defer { marks = [] }
        return [.commit(final.first?.isPunctuation == true ? final : marks + final, utterance: utterance)]
    }

    private mutating func show(_ words: [LiveWord], hasCommitted: Bool) -> [LiveAction] {
        let tail = Array(words[..<words[...].spokenEnd]).held(as: shown)
        guard hasCommitted || tail.map(\.text) != shown.map(\.text) else { return [] }
        shown = tail
        return [.show(tail, utterance: utterance)]
    }

    /// Every word has at least one token, so these are enough for any model.
    private func extended(by words: [LiveWord]) -> [TextPiece] {
        Array((context + words.pieces).suffix(options.contextTokens))
    }

    private func makeGuards() -> TextGuard? {
        options.guards.map { TextGuard($0, prompts: [options.prompt, vocabulary.hotwords].compactMap(\.self)) }
    }
}
