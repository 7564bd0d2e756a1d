import StenoCore

/// A word of a live text; times are seconds from the start of the audio.
struct LiveWord: Sendable, Hashable {
    var text: String
    var tokens: [Int]
    var start: Double
    var end: Double
    var probability: Double
    /// What two decodings are compared by: letters and digits in lower case; empty for punctuation alone.
    let key: String

    init(_ word: UtteranceWord, origin: Int) {
        text = word.text
        tokens = word.tokens
        start = origin.seconds + word.start
        end = origin.seconds + word.end
        probability = word.probability
        key = Self.key(word.text)
    }

    /// A word without what two decodings often differ in and mean the same: commas and capitals.
    ///
    /// They are 45.9 % of the instability of partial results (Shangguan et al. 2020).
    static func key(_ text: String) -> String {
        String(
            text.lowercased().unicodeScalars.filter { $0.properties.isAlphabetic || $0.properties.numericType != nil })
    }

    /// The word as others take it.
    var word: Word { Word(word: text, start: start, end: end, probability: probability) }

    /// Whether the word is punctuation alone.
    var isPunctuation: Bool { key.isEmpty }
}

extension [LiveWord] {
    /// How many of the first words agree with another decoding's, punctuation aside; the count includes the
    /// punctuation between them, and not that after the last.
    func agreement(with other: [LiveWord]) -> Int {
        var agreed = 0
        var theirs = other.filter { !$0.isPunctuation }.makeIterator()
        for (index, word) in enumerated() where !word.isPunctuation {
            guard let their = theirs.next(), their.key == word.key else { break }
            agreed = index + 1
        }
        return agreed
    }

    /// The words after as many spoken ones as `words` has.
    func dropping(_ words: ArraySlice<LiveWord>) -> [LiveWord] {
        var left = words.count { !$0.isPunctuation }
        guard
            let index = firstIndex(where: { word in
                if left == 0 { return !word.isPunctuation }
                if !word.isPunctuation { left -= 1 }
                return false
            })
        else { return [] }
        return Array(self[index...])
    }
}
