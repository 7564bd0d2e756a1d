import StenoCore

// How many words of a text become final, are shown, or are trimmed: functions of the words and the end of the audio, which
// keep nothing. `Commitment` keeps the words.

/// How many of the words that are not final become final while their utterance continues.
struct FinalRule: Sendable {
    private let evidence: EvidenceRule
    /// Whether a word of thorough decodings must be in two of them, too.
    private let agreesTwice: Bool

    /// A word that ends closer to the end of the audio may be half a word.
    fileprivate static let edge = 0.1.samples

    init(_ balance: LiveBalance, agreesTwice: Bool = false) {
        evidence = EvidenceRule(balance)
        self.agreesTwice = agreesTwice
    }

    /// The number of words with enough evidence; each waits for those before it.
    ///
    /// - Parameter thorough: The text of the thorough decodings, which a word of quick ones must not contradict.
    func safeCount(_ text: PendingText, beside thorough: PendingText) -> Int {
        let words = text.words.map(\.word)
        let sure = text.words.prefix { found in
            let word = found.word
            guard !word.isPunctuation else { return true }
            guard word.end <= text.heardTo - Self.edge,
                evidence.isEnough(text.evidence(for: found), age: (text.heardTo - word.end).seconds)
            else { return false }
            if text.isThorough { return !agreesTwice || found.count > 1 }
            return found.count > 1 && !thorough.contradicts(word, edge: Self.edge)
        }
        var count = words[..<sure.count].spokenEnd
        // The last word may still grow.
        if words[..<count].spokenCount == words[...].spokenCount { count = words[..<count].withoutLastSpoken }
        return words[...].wholeWords(count)
    }

    /// The number of words that a pause makes final, because they cannot grow any more.
    ///
    /// Words after the beginning of the silence were not spoken; nor were those that a guard would remove. A doubtful word
    /// may be read differently when more has been heard.
    ///
    /// - Parameter previous: The key of the word before the first one.
    /// - Returns: The number, and whether no guard, repetition or half word made it smaller.
    func settledCount(
        _ text: PendingText, before pause: Int, after previous: String?, guards: TextGuard?, speech: SpeechProfile
    ) -> (count: Int, isAll: Bool) {
        guard evidence.settlesAtPauses else { return (0, false) }
        let spoken = text.words.prefix {
            $0.word.start < pause && ($0.word.isPunctuation || evidence.isSettled(text.evidence(for: $0)))
        }
        let words = text.words.map(\.word)
        let wanted = words[..<spoken.count].spokenEnd
        // This runs for every window of the pause, and mostly they are final already.
        guard wanted > 0 else { return (0, false) }
        var count = wanted
        var guards = guards
        if let removed = guards?.check([words[..<count].map(\.word)], speech: speech).removed.first {
            count = words[..<removed.words.lowerBound].spokenEnd
        }
        if let stutter = words[..<count].firstStutter(after: previous) { count = words[..<stutter].spokenEnd }
        count = words[...].wholeWords(count)
        return (count, count == wanted)
    }
}

/// Which of the words that are not final are shown: half words cause flicker, and most of them are improbable.
struct DisplayRule: Sendable {
    /// The samples of audio after a word before it is shown.
    let showAfter: Int
    /// Whether the words of one thorough decoding have to be audible like those of quick ones.
    let agreesTwice: Bool

    /// The words to show: those of the thorough decodings, followed by those of quick ones after them.
    ///
    /// - Parameters:
    ///   - twice: The sample up to which two decodings in a row have the same words.
    ///   - heardTo: The end of the audio of the newest decoding.
    func words(of thorough: PendingText, and quick: PendingText, twice: Int, heardTo: Int) -> [LiveWord] {
        var words = thorough.words.map(\.word)[...]
        let heard = words.prefix { $0.end <= thorough.heardTo - FinalRule.edge }
        if thorough.heardTo <= quick.heardTo {
            let newer = quick.words.map(\.word)
            words = heard + newer[HypothesisSeam.index(in: newer, after: Array(heard))...]
        }
        let sure = agreesTwice ? twice : max(twice, heard.last?.end ?? 0)
        return Array(words.prefix { $0.end <= sure || isAudible($0, heardTo: heardTo) })
    }

    /// Whether a word has probably ended.
    private func isAudible(_ word: LiveWord, heardTo: Int) -> Bool {
        let isSure = word.isPunctuation || word.probability >= Self.confidence
        return word.end <= heardTo - showAfter - (isSure ? 0 : Self.doubt)
    }

    /// Below this probability, a word is shown later.
    private static let confidence = 0.8
    private static let doubt = 0.27.samples
}

/// How many of the final words of a long utterance are trimmed with their audio.
enum TrimRule {
    /// The number of words, preferably up to the end of a phrase, so that enough audio is left as context for what follows.
    ///
    /// - Parameter heardTo: The end of the audio of the newest decoding.
    /// - Returns: A number from 1 to one less than there are words; nil if there are too few words.
    static func count(_ final: [LiveWord], heardTo: Int) -> Int? {
        // Two words stay as context for the next decoding.
        let spoken = final.indices.filter { !final[$0].isPunctuation }.dropLast(2)
        guard spoken.count > 2 else { return nil }
        let early = spoken.filter { final[$0].end <= heardTo - leftForContext }
        let candidates = early.isEmpty ? spoken[...] : early[...]
        let phrase = candidates.last { $0 + 1 < final.count && final[$0 + 1].isPunctuation }
        guard let latest = phrase ?? candidates.last else { return nil }
        return final.indices.first { $0 > latest && !final[$0].isPunctuation }
    }

    private static let leftForContext = 5.0.samples
}
