/// A word that is not final, and the evidence for it.
struct PendingWord: Sendable {
    var word: LiveWord
    /// The end of the audio of the first of the decodings that agree on it, in samples.
    var since: Int
    /// The number of consecutive decodings that agree on it.
    var count: Int

    /// Whether a word of another decoding is this one: the same text at about the same time.
    func isSame(_ other: LiveWord) -> Bool { word.key == other.key && abs(word.end - other.end) < Self.sameTime }

    /// Word times of two decodings differ by less than this.
    private static let sameTime = 0.6.samples
}

extension [PendingWord] {
    /// The words of a new hypothesis, with the evidence of the previous hypotheses for the same words.
    ///
    /// The same word at about the same time is the same word, whatever is written before it.
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

/// The text of consecutive decodings of one kind that is not final, with the evidence of only these.
///
/// Quick and thorough decodings often differ for ever. A thorough one that agrees with itself says more about what the end
/// of the utterance will have than any number of quick ones.
struct PendingText: Sendable {
    /// Whether the decodings are thorough ones.
    let isThorough: Bool
    /// The newest hypothesis' words after the final ones.
    private(set) var words: [PendingWord] = []
    /// The mean probability of all words of that hypothesis: how well the model understands the voice.
    private(set) var voice = 1.0
    /// The end of its audio, in samples.
    private(set) var heardTo = 0

    init(isThorough: Bool) { self.isThorough = isThorough }

    /// Forgets the decodings so far.
    mutating func clear() { self = PendingText(isThorough: isThorough) }

    /// Takes the words of a new hypothesis after the final ones.
    ///
    /// - Parameter voice: The mean probability of all its words; nil if it has none.
    mutating func update(with words: [LiveWord], voice: Double?, heardTo: Int) {
        self.words = self.words.updated(with: words, heardTo: heardTo)
        self.heardTo = heardTo
        self.voice = voice ?? self.voice
    }

    /// What speaks for one of its words.
    func evidence(for found: PendingWord) -> Evidence {
        Evidence(
            certainty: found.word.certainty, support: found.word.support, voice: voice,
            steady: (heardTo - found.since).seconds, duration: (found.word.end - found.word.start).seconds,
            isThorough: isThorough)
    }

    /// Removes words that are final now, whatever this text has in their place.
    mutating func drop(_ final: [LiveWord]) {
        words.removeFirst(HypothesisSeam.index(in: words.map(\.word), after: final))
    }

    /// Whether this text has another word in the place of a word.
    ///
    /// - Parameter edge: A word that ends so much before the end of the audio, in samples, would be known.
    func contradicts(_ word: LiveWord, edge: Int) -> Bool {
        word.end < heardTo - edge && !words.contains { $0.isSame(word) }
    }
}
