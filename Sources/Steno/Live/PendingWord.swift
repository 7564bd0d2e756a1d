/// A word that is not final, and the evidence for it.
struct PendingWord: Sendable {
    var word: LiveWord
    /// The end of the audio of the first of the decodings that agree on it, in samples.
    var since: Int
    /// The number of consecutive decodings that agree on it.
    var count: Int
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
            let same =
                word.isPunctuation
                ? nil
                : self[next...].firstIndex { $0.word.key == word.key && abs($0.word.end - word.end) < Self.sameTime }
            guard let same else { return PendingWord(word: word, since: heardTo, count: 1) }
            next = same + 1
            return PendingWord(word: word, since: self[same].since, count: self[same].count + 1)
        }
    }

    /// Word times of two decodings differ by less than this.
    private static var sameTime: Int { 0.6.samples }
}
