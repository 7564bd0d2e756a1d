import StenoCore
import StenoVoiceActivity

/// Decides which words of an utterance's hypotheses are final and which are shown.
///
/// A word becomes final when consecutive decodings have agreed on it (LocalAgreement, Macháček et al. 2023) for so long
/// that it is unlikely to change (``EvidenceRule``), when a pause follows it, or when its utterance has ended. Final words
/// are never changed, only continued. A later decoding may read them differently: ``HypothesisSeam`` finds where it
/// continues them.
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
    private let rule: EvidenceRule
    /// Whether a word of thorough decodings must be in two of them, too.
    private let agreesTwice: Bool
    private var guards: TextGuard?
    private var vocabulary: [String]
    /// The id of the utterance.
    private var utterance = 0
    /// The words of quick decodings after the final words.
    private var quick = PendingText(isThorough: false)
    /// The words of thorough decodings.
    private var thorough = PendingText(isThorough: true)
    /// The partial words shown after the final ones.
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
        self.agreesTwice = agreesTwice
        rule = EvidenceRule(options.balance)
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

    /// Begins the text of the next utterance.
    ///
    /// - Parameters:
    ///   - utterance: The utterance with only its own audio.
    ///   - previous: The settings of the utterance before it.
    ///   - isContinued: Whether it is decoded together with the audio of the utterance before it, whose words are final.
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
        isPlausible = !hypothesis.isImplausible && isSpeakable(read, from: done.span.lowerBound)
        guard isPlausible else { return [] }
        let words = beforeLoop(read)
        isPlausible = words.count == read.count
        let kind: WritableKeyPath<Self, PendingText> = done.isThorough ? \.thorough : \.quick
        let known = words.agreement(with: self[keyPath: kind].words.map(\.word))
        self[keyPath: kind].update(with: words, voice: hypothesis.meanProbability, heardTo: heardTo)
        let agreed = commits ? safeCount(self[keyPath: kind]) : 0
        let final = commit(words[..<agreed], remember: true)
        guard shows else { return agreed > 0 ? final + show(shown, hasCommitted: true) : final }
        let twice = words[..<known].last?.end ?? 0
        return final + show(audibleText(twice: twice), hasCommitted: agreed > 0)
    }

    /// The pending words to show: those of the thorough decodings, followed by those of quick ones after them.
    ///
    /// - Parameter twice: The sample up to which two decodings in a row have the same words.
    private func audibleText(twice: Int) -> [LiveWord] {
        var words = thorough.words.map(\.word)[...]
        let heard = words.prefix { $0.end <= thorough.heardTo - Self.edge }
        if !newest.isThorough {
            let newer = quick.words.map(\.word)
            words = heard + newer[HypothesisSeam.index(in: newer, after: Array(heard))...]
        }
        let sure = agreesTwice ? twice : max(twice, heard.last?.end ?? 0)
        return Array(words.prefix { $0.end <= sure || isAudible($0) })
    }

    /// Makes the words before a pause final: they cannot grow any more.
    ///
    /// Punctuation after the last one stays open, since it depends on what follows.
    mutating func settle(before pause: Range<Int>, speech: SpeechProfile) -> [LiveAction] {
        guard isPlausible, rule.settlesAtPauses, heardTo >= pause.lowerBound else { return [] }
        let words = newest.words.map(\.word)
        // Words after the beginning of the silence were not spoken; nor were those that a guard would remove. A doubtful
        // word may be read differently when more has been heard.
        let spoken = newest.words.prefix { $0.word.start < pause.lowerBound && isSettled($0) }
        var count = words[..<spoken.count].spokenEnd
        // This runs for every window of the pause, and mostly they are final already.
        guard count > 0 else { return [] }
        let wanted = count
        var guards = guards
        if let removed = guards?.check([words[..<count].map(\.word)], speech: speech).removed.first {
            count = words[..<removed.words.lowerBound].spokenEnd
        }
        if let stutter = words[..<count].firstStutter(after: lastKey) { count = words[..<stutter].spokenEnd }
        count = words[...].wholeWords(count)
        guard count > 0 else { return [] }
        let final = commit(words[..<count], remember: true)
        // Words after a doubtful word stay visible, because they may be right; hallucinations do not.
        let rest = count == wanted ? shown.prefix { $0.start < pause.lowerBound } : []
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
    /// Whisper may stop after a sentence, or omit the beginning of the next one. Without the preceding audio, it hears
    /// it.
    ///
    /// - Parameter read: The words after the final ones.
    func isMisled(_ read: [LiveWord], of done: LiveDecoding, speech: SpeechProfile) -> Bool {
        guard !committed.isEmpty else { return false }
        let spoken = read.filter { !$0.isPunctuation }
        guard let last = spoken.last else { return done.isLast && !hasFinals }
        var end = max(lastWord, speechFrom)
        for word in spoken {
            let gap = speech.seconds(from: end.seconds, to: word.start.seconds, probability: 0.5)
            if gap > Self.mostSpeechWithoutWords { return true }
            end = max(end, word.end)
        }
        return done.isLast
            && speech.seconds(from: last.end.seconds, to: .infinity, probability: 0.5) > Self.longestStall.seconds
    }

    /// In seconds; word times are accurate to 0.2 s.
    private static let mostSpeechWithoutWords = 0.7

    // MARK: Trimming

    /// Trims the beginning of a long utterance at a final word, preferably at the end of a phrase, and leaves enough audio as
    /// context for what follows.
    ///
    /// - Returns: The sample before which the audio is no longer needed.
    mutating func trim(from start: Int) -> Int? {
        // Two words stay as context for the next decoding.
        let spoken = committed.indices.filter { !committed[$0].isPunctuation }.dropLast(2)
        guard spoken.count > 2 else { return nil }
        let early = spoken.filter { committed[$0].end <= heardTo - Self.leftForContext }
        let candidates = early.isEmpty ? spoken[...] : early[...]
        let phrase = candidates.last { $0 + 1 < committed.count && committed[$0 + 1].isPunctuation }
        guard let latest = phrase ?? candidates.last else { return nil }
        let kept = committed.indices.first { $0 > latest && !committed[$0].isPunctuation } ?? committed.count
        guard kept < committed.count else { return nil }
        let cut = (committed[kept - 1].end + committed[kept].start) / 2
        guard cut > start else { return nil }
        context = extended(by: Array(committed[..<kept]))
        committed.removeFirst(kept)
        return cut
    }

    private static let leftForContext = 5.0.samples

    /// Whether speech continues without text: a model that writes a heading may end the text after it.
    ///
    /// - Parameter silence: The silence so far, in samples.
    func isStalled(silence: Int) -> Bool {
        isPlausible && !committed.isEmpty && newest.words.allSatisfy(\.word.isPunctuation)
            && heardTo - silence - max(lastWord, speechFrom) > Self.longestStall
    }

    private static let longestStall = 1.2.samples

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

    // MARK: Rules

    /// The words of a hypothesis after the final ones.
    func words(of hypothesis: UtteranceHypothesis, _ done: LiveDecoding) -> [LiveWord] {
        let all = hypothesis.words.map { LiveWord($0, origin: done.origin) }
        var rest = all[HypothesisSeam.index(in: all, after: committed)...]
        if committed.last?.isPunctuation == true { rest = rest.drop(while: \.isPunctuation) }
        return Array(rest).ordered(after: lastWord).withoutRepetitions(after: lastKey)
    }

    /// The key of the last final word whose audio is still decoded.
    private var lastKey: String? { committed.last { !$0.isPunctuation }?.key }

    /// Whether a word has probably ended: half words cause flicker, and most of them are improbable.
    private func isAudible(_ word: LiveWord) -> Bool {
        let isSure = word.isPunctuation || word.probability >= Self.showConfidence
        return word.end <= heardTo - options.showAfter.samples - (isSure ? 0 : Self.doubt)
    }

    /// Below this probability, a word is shown later.
    private static let showConfidence = 0.8
    private static let doubt = 0.27.samples

    /// Whether the words after the final ones fit into their time: a model may repeat earlier text at the start of
    /// speech.
    private func isSpeakable(_ words: [LiveWord], from start: Int) -> Bool {
        let letters = words.reduce(0) { $0 + $1.key.unicodeScalars.count }
        return Double(letters) <= Self.mostLettersPerSecond * (heardTo - max(start, lastWord)).seconds + 8
    }

    /// The fastest possible speech.
    private static let mostLettersPerSecond = 40.0

    /// The number of pending words with enough evidence; each waits for those before it.
    private func safeCount(_ text: PendingText) -> Int {
        let words = text.words.map(\.word)
        let sure = text.words.prefix { found in
            let word = found.word
            guard !word.isPunctuation else { return true }
            guard word.end <= heardTo - Self.edge,
                rule.isEnough(text.evidence(for: found), age: (heardTo - word.end).seconds)
            else { return false }
            if text.isThorough { return !agreesTwice || found.count > 1 }
            return found.count > 1 && !thorough.contradicts(word, edge: Self.edge)
        }
        var count = words[..<sure.count].spokenEnd
        // The last word may still grow.
        if words[..<count].spokenCount == words[...].spokenCount { count = words[..<count].withoutLastSpoken }
        return words[...].wholeWords(count)
    }

    /// A word that ends closer to the end of the audio may be half a word.
    private static let edge = 0.1.samples

    /// Whether a word before a pause is final.
    private func isSettled(_ found: PendingWord) -> Bool {
        found.word.isPunctuation || rule.isSettled(newest.evidence(for: found))
    }

    /// The words before the text begins to loop.
    ///
    /// The rest is neither shown nor made final while the utterance is open: the next decoding may have no loop, and
    /// guards check the last one.
    private func beforeLoop(_ words: [LiveWord]) -> [LiveWord] {
        // A copy of the guard is used, since this text may change; without speech it only looks for loops.
        guard var guards, let loop = guards.check([words.map(\.word)], speech: nil).removed.first else { return words }
        return Array(words[..<loop.words.lowerBound])
    }

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
