struct PendingWord: Sendable {
    var word: LiveWord
    /// The end of the audio of the first decoding that agrees on it, in samples.
    var since: Int
    /// The number of consecutive decodings that agree on it.
    var count: Int

    /// Whether a word of another decoding is this one: the same text at about the same time.
    func isSame(_ other: LiveWord) -> Bool { word.key == other.key && abs(word.end - other.end) < Self.sameTime }

    /// The times of a word in two decodings differ by less than this.
    private static let sameTime = 0.6.samples
}

extension [PendingWord] {
    /// The words of a new hypothesis, with the evidence of the previous hypotheses for the same words.
    ///
    /// A word with the same text at about the same time is the same word, whatever precedes it.
    ///
    /// - Parameter heardTo: The end of the audio of the hypothesis.
    func updated(with words: [LiveWord], heardTo: Int) -> [PendingWord] {
        var next = startIndex
        return words.map { word in
            let same = word.isPunctuation ? nil : self[next...].firstIndex { $0.isSame(word) }
            guard let same else { return PendingWord(word: word, since: heardTo, count: 1) }
            next = same + 1
            return PendingWord(word: word, since: self[same].since, count: self[same].count + 1)
        }
    }
}

/// The text of consecutive decodings of one kind that is not final, with evidence from only that kind.
///
/// Quick and thorough decodings often never agree. Agreement between thorough ones says more about the text at the end of
/// the utterance than any number of quick ones.
struct PendingText: Sendable {
    let isThorough: Bool
    /// The words of the newest hypothesis after the final ones.
    private(set) var words: [PendingWord] = []
    /// The mean probability of all words of that hypothesis: how well the model understands the voice.
    private(set) var voice = 1.0
    /// The end of its audio, in samples.
    private(set) var heardTo = 0

    init(isThorough: Bool) { self.isThorough = isThorough }

    mutating func clear() { self = PendingText(isThorough: isThorough) }

    /// Takes the words of a new hypothesis after the final ones.
    ///
    /// - Parameter voice: The mean probability of all its words; nil if it has none.
    mutating func update(with words: [LiveWord], voice: Double?, heardTo: Int) {
        self.words = self.words.updated(with: words, heardTo: heardTo)
        self.heardTo = heardTo
        self.voice = voice ?? self.voice
    }

    func evidence(for found: PendingWord) -> Evidence {
        Evidence(
            certainty: found.word.certainty, support: found.word.support, voice: voice,
            steady: (heardTo - found.since).seconds, duration: (found.word.end - found.word.start).seconds,
            isThorough: isThorough)
    }

    /// Removes words that became final, whatever this text has in their place.
    mutating func drop(_ final: [LiveWord]) {
        words.removeFirst(HypothesisSeam.index(in: words.map(\.word), after: final))
    }

    /// Whether this text has a different word at the time of a word.
    ///
    /// - Parameter edge: The distance from the end of the audio, in samples, beyond which a word is known.
    func contradicts(_ word: LiveWord, edge: Int) -> Bool {
        word.end < heardTo - edge && !words.contains { $0.isSame(word) }
    }
}
