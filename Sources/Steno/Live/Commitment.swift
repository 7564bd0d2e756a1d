import StenoCore
import StenoWhisper

/// Decides which words of an utterance's hypotheses are final and which are shown.
///
/// A word is final when consecutive decodings agree on it (LocalAgreement, Macháček et al. 2023) and it ended a moment
/// before the end of the audio (AlignAtt, Papi et al. 2023), when a pause follows it, or when its utterance has ended.
/// Final words are only ever appended to.
struct Commitment: Sendable {
    /// The prompt: the tokens of the text before the audio of the utterance.
    private(set) var context: [Int]
    /// The end of the last final word, in samples: no word begins before it.
    private(set) var lastWord = 0
    /// The final words whose audio is still decoded: the forced prefix of the next decoding.
    private(set) var committed: [LiveWord] = []
    /// Whether any word of the utterance is final, trimmed ones too.
    private(set) var hasFinals = false
    /// The end of the audio of the newest hypothesis.
    private(set) var heardTo = 0

    private let options: LiveOptions
    private var guards: TextGuard?
    private var vocabulary: String?
    /// The id of the utterance.
    private var utterance = 0
    /// The last hypotheses' words after the committed ones, the newest last.
    private var hypotheses: [[LiveWord]] = []
    /// The partial words shown after the final ones.
    private var shown: [LiveWord] = []
    /// Whether the newest hypothesis is plausible to its end, without a loop.
    private var isPlausible = false

    init(_ options: LiveOptions, context: [Int]) {
        self.options = options
        self.context = context
        vocabulary = options.hotwords
        guards = makeGuards()
    }

    var committedTokens: [Int] { committed.flatMap(\.tokens) }

    /// What the newest hypothesis has after the final words: the next decoding probably begins with it.
    var draft: [Int] { hypotheses.last?.flatMap(\.tokens) ?? [] }

    // MARK: Utterances

    /// Begins the text of the next utterance.
    ///
    /// - Parameter previous: The settings of the utterance before it.
    mutating func begin(_ utterance: Utterance, after previous: SpeechSettings) {
        self.utterance = utterance.id
        committed = []
        hasFinals = false
        heardTo = utterance.start
        hypotheses = []
        shown = []
        isPlausible = false
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
        context = []
        guards = makeGuards()
    }

    /// The language was mistaken: earlier hypotheses do not count.
    mutating func forgetHypotheses() { hypotheses = [] }

    // MARK: Hypotheses

    /// Takes a hypothesis while the utterance is open: commits what is agreed on, shows the rest.
    ///
    /// - Parameter shows: Whether the text may be shown; if not, what is shown stays.
    mutating func take(
        _ hypothesis: UtteranceHypothesis, of done: LiveDecoding, commits: Bool, shows: Bool = true
    ) -> [LiveAction] {
        heardTo = done.span.upperBound
        let read = words(of: hypothesis, done)
        isPlausible = !hypothesis.isImplausible && isSpeakable(read, from: done.span.lowerBound)
        guard isPlausible else { return [] }
        let words = beforeLoop(read)
        isPlausible = words.count == read.count
        let before = hypotheses.last
        hypotheses.append(words)
        let agreed = commits ? safeCount() : 0
        let known = before.map { words.agreement(with: $0) } ?? 0
        let audible = words.prefix(while: isAudible).count
        let final = commit(words[..<agreed], remember: true)
        hypotheses = Array(hypotheses.suffix(max(options.agreement - 1, 1)))
        guard shows || agreed > 0 else { return final }
        return final + show(Array(words[agreed..<max(agreed, known, audible)]), hasCommitted: agreed > 0)
    }

    /// Makes the words before a pause final: they cannot grow any more.
    ///
    /// Punctuation after the last one stays open, since it depends on what follows.
    mutating func settle(before pause: Range<Int>, speech: SpeechProfile) -> [LiveAction] {
        guard isPlausible, let words = hypotheses.last, heardTo >= pause.lowerBound else { return [] }
        // Words after the beginning of the silence were not spoken; nor were those that a guard would remove. A guess may
        // be read otherwise when more has been heard.
        let spoken = words.prefix { $0.start < pause.lowerBound && (!isGuess($0) || isOverdue($0)) }
        var count = words[..<spoken.count].spokenEnd
        // Asked in every window of the pause, and mostly they are final already.
        guard count > 0 else { return [] }
        let wanted = count
        var guards = guards
        if let removed = guards?.check([words[..<count].map(\.word)], speech: speech).removed.first {
            count = words[..<removed.words.lowerBound].spokenEnd
        }
        if let stutter = firstStutter(in: words[..<count]) { count = words[..<stutter].spokenEnd }
        guard count > 0 else { return [] }
        let final = commit(words[..<count], remember: true)
        // What follows a guess stays on the screen, as it may still be right; what was not spoken, or is a hallucination,
        // does not.
        let rest = count == wanted ? shown.prefix { $0.start < pause.lowerBound } : []
        return final + show(Array(rest), hasCommitted: true)
    }

    /// Whether the text is complete without another decoding: every word before the utterance's last silence is final.
    ///
    /// - Parameter pause: The silence at the end of the utterance.
    func isComplete(before pause: Range<Int>) -> Bool {
        isPlausible && hasFinals && heardTo >= pause.lowerBound && hypotheses.last?.allSatisfy(\.isPunctuation) ?? false
            && lastWord >= pause.lowerBound - Self.latestWord
    }

    /// The text ends at the latest this long before the speech does, or something is missing.
    private static let latestWord = 0.5.samples

    /// Ends the utterance without another decoding: the punctuation after its last word is final.
    mutating func finish() -> [LiveAction] {
        let marks: ArraySlice<LiveWord> = hypotheses.last?.prefix(while: \.isPunctuation) ?? []
        defer { context = extended(by: committedTokens) }
        return commit(marks, remember: false)
    }

    /// Whether all words are final and no mark is at the end.
    ///
    /// Words that become final one by one without punctuation make the model continue without any, in later utterances
    /// too. Decoded at once, the same words get their marks.
    var lacksPunctuation: Bool {
        hypotheses.last?.isEmpty ?? true && committed.last?.endsWithPunctuation == false
    }

    /// Ends the utterance with a hypothesis for which no word was forced: its punctuation after the last word is final,
    /// and it is the context of the next utterance, if it has the same words.
    mutating func finish(withPunctuationOf hypothesis: UtteranceHypothesis, of done: LiveDecoding) -> [LiveAction] {
        let words = hypothesis.words.map { LiveWord($0, origin: done.span.lowerBound) }
        guard !hypothesis.isImplausible, words.spokenKeys == committed.spokenKeys else { return finish() }
        defer { context = extended(by: words.flatMap(\.tokens)) }
        return commit(Array(words[words[...].spokenEnd...]).ordered(after: lastWord)[...], remember: false)
    }

    /// Takes the last hypothesis of the utterance: all of its text is final, but for hallucinations.
    mutating func finish(
        with hypothesis: UtteranceHypothesis, of done: LiveDecoding, speech: SpeechProfile
    ) -> [LiveAction] {
        let words = hypothesis.isSilence && !hasFinals ? [] : words(of: hypothesis, done)
        var actions: [LiveAction] = []
        var kept = words
        if !words.isEmpty, let verdict = guards?.check([words.map(\.word)], speech: speech) {
            actions += verdict.removed.map { .guarded($0.action) }
            let gone = Set(verdict.removed.flatMap(\.words))
            kept = words.indices.filter { !gone.contains($0) }.map { words[$0] }
        }
        actions += commit(kept[...], remember: false)
        // Text sampled at a high temperature is not used as context.
        context = hypothesis.temperature > 0.5 ? [] : extended(by: committedTokens)
        return actions
    }

    // MARK: Trimming

    /// Trims the beginning of a long utterance at a final word, preferably at the end of a phrase.
    ///
    /// - Returns: The sample before which the audio is no longer needed.
    mutating func trim(from start: Int) -> Int? {
        let spoken = committed.indices.filter { !committed[$0].isPunctuation }
        // Two words stay as context for the next decoding.
        guard spoken.count > 4, let latest = spoken.dropLast(2).last else { return nil }
        let phrase = spoken.dropLast(2).last { $0 + 1 < committed.count && committed[$0 + 1].isPunctuation }
        let kept = spoken.first { $0 > phrase ?? latest } ?? committed.count
        let cut = (committed[kept - 1].end + committed[kept].start) / 2
        guard cut > start else { return nil }
        context = extended(by: committed[..<kept].flatMap(\.tokens))
        committed.removeFirst(kept)
        return cut
    }

    // MARK: Rules

    private func words(of hypothesis: UtteranceHypothesis, _ done: LiveDecoding) -> [LiveWord] {
        hypothesis.words.map { LiveWord($0, origin: done.span.lowerBound) }.ordered(after: lastWord)
            .withoutRepetitions(after: committed.last { !$0.isPunctuation }?.key)
    }

    /// Whether a word has probably ended: half words cause flicker, and most of them are improbable.
    private func isAudible(_ word: LiveWord) -> Bool {
        let isSure = word.isPunctuation || word.probability >= Self.showConfidence
        return word.end <= heardTo - options.showAfter.samples - (isSure ? 0 : Self.doubt)
    }

    /// A less probable word is shown later.
    private static let showConfidence = 0.8
    private static let doubt = 0.27.samples

    /// Whether the words after the final ones fit into their time: a model may repeat earlier text where speech begins.
    private func isSpeakable(_ words: [LiveWord], from start: Int) -> Bool {
        let letters = words.reduce(0) { $0 + $1.key.unicodeScalars.count }
        return Double(letters) <= Self.mostLettersPerSecond * (heardTo - max(start, lastWord)).seconds + 8
    }

    /// Nobody speaks faster than this.
    private static let mostLettersPerSecond = 40.0

    /// The number of words of the newest hypothesis that are safe: agreed on, complete, and not the last.
    private func safeCount() -> Int {
        guard let words = hypotheses.last, hypotheses.count >= options.agreement else { return 0 }
        let compared = hypotheses.suffix(options.agreement)
        var count = compared.dropLast().map { words.agreement(with: $0) }.min() ?? words[...].spokenEnd
        // A doubtful word may be delayed for a moment, but must not delay all words after it.
        let sure = words.prefix { $0.isPunctuation || $0.probability >= options.confidence || isOverdue($0) }.count
        count = words[..<min(count, sure)].spokenEnd
        // The last word may still grow, in any of the decodings.
        let shortest = compared.map { $0[...].spokenCount }.min() ?? 0
        if words[..<count].spokenCount >= shortest { count = words[..<count].withoutLastSpoken }
        let hold = options.hold.samples
        while count > 0, words[count - 1].end > heardTo - hold { count = words[..<count].withoutLastSpoken }
        return count
    }

    /// Whether a doubtful word has waited long enough: the options' patience, and twice as long if it is a guess.
    private func isOverdue(_ word: LiveWord) -> Bool {
        word.end <= heardTo - options.patience.samples * (isGuess(word) ? 2 : 1)
    }

    /// Whether a word is so improbable that the next decodings, which hear more, will often have another in its place.
    private func isGuess(_ word: LiveWord) -> Bool { !word.isPunctuation && word.probability < Self.guessBelow }

    /// Chosen by measurement (Documentation/Live.md).
    private static let guessBelow = 0.25

    /// The first word that improbably repeats the one before it, as a model does where final words end a little later in
    /// the audio than they should.
    private func firstStutter(in words: ArraySlice<LiveWord>) -> Int? {
        var previous = committed.last { !$0.isPunctuation }?.key
        for index in words.indices where !words[index].isPunctuation {
            if words[index].key == previous, words[index].probability < options.confidence { return index }
            previous = words[index].key
        }
        return nil
    }

    /// The words before the text begins to loop.
    ///
    /// The rest is neither shown nor final while the utterance is open: the next decoding may not have the loop, and
    /// the last one is checked by the guards.
    private func beforeLoop(_ words: [LiveWord]) -> [LiveWord] {
        // A copy of the guard is used, since this text may change; without speech it only looks for loops.
        guard var guards, let loop = guards.check([words.map(\.word)], speech: nil).removed.first else { return words }
        return Array(words[..<loop.words.lowerBound])
    }

    /// Makes words final and removes them from all hypotheses.
    private mutating func commit(_ words: ArraySlice<LiveWord>, remember: Bool) -> [LiveAction] {
        guard let last = words.last else { return [] }
        if remember { guards?.remember(words.map(\.word)) }
        committed += words
        hasFinals = true
        lastWord = max(lastWord, last.end)
        hypotheses = hypotheses.map { $0.dropping(words) }
        shown = shown.dropping(words)
        return [.commit(Array(words), utterance: utterance)]
    }

    private mutating func show(_ words: [LiveWord], hasCommitted: Bool) -> [LiveAction] {
        let tail = Array(words[..<words[...].spokenEnd]).held(as: shown)
        guard hasCommitted || tail.map(\.text) != shown.map(\.text) else { return [] }
        shown = tail
        return [.show(tail, utterance: utterance)]
    }

    private func extended(by tokens: [Int]) -> [Int] { Array((context + tokens).suffix(options.contextTokens)) }

    private func makeGuards() -> TextGuard? {
        options.guards.map { TextGuard($0, prompts: [options.initialPrompt, vocabulary].compactMap(\.self)) }
    }
}
