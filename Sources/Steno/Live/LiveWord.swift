import StenoCore

/// A word of a live text; times are seconds from the start of the audio.
struct LiveWord: Sendable, Hashable {
    var text: String
    var tokens: [Int]
    var start: Double
    var end: Double
    var probability: Double
    /// The key by which two decodings are compared: letters and digits in lower case; empty for punctuation alone.
    let key: String

    init(_ word: UtteranceWord, origin: Int) {
        text = word.text
        tokens = word.tokens
        start = origin.seconds + word.start
        end = origin.seconds + word.end
        probability = word.probability
        key = Self.key(word.text)
    }

    /// The word without commas and capitals, in which decodings often differ without a difference in meaning.
    ///
    /// These account for 45.9 % of the instability of partial results (Shangguan et al. 2020).
    static func key(_ text: String) -> String {
        String(
            text.lowercased().unicodeScalars.filter { $0.properties.isAlphabetic || $0.properties.numericType != nil })
    }

    /// The public form of the word.
    var word: Word { Word(word: text, start: start, end: end, probability: probability) }

    /// Whether the word is punctuation alone.
    var isPunctuation: Bool { key.isEmpty }
}

extension [LiveWord] {
    /// The number of leading words that agree with another decoding, ignoring punctuation; the count includes
    /// punctuation between them, but not after the last.
    func agreement(with other: [LiveWord]) -> Int {
        var agreed = 0
        var theirs = other.filter { !$0.isPunctuation }.makeIterator()
        for (index, word) in enumerated() where !word.isPunctuation {
            guard let their = theirs.next(), their.key == word.key else { break }
            agreed = index + 1
        }
        return agreed
    }

    /// The words after as many words (ignoring punctuation) as `words` has.
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
