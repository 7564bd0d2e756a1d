import StenoCore

/// Splits the words of an utterance into sentences, which become segments.
enum Sentences {
    private static let ends = Set(".!?…。！？")
    /// Marks that may follow the end of a sentence.
    private static let closing = Set("\"'”’»)]）」』")
    /// A pause of this many seconds ends a segment whatever the text.
    private static let longestPause = 1.5

    /// The words of each sentence.
    static func split(_ words: [Word]) -> [[Word]] {
        var sentences: [[Word]] = []
        for word in words {
            if let last = sentences.last?.last, !isEnd(last, before: word) {
                sentences[sentences.count - 1].append(word)
            } else {
                sentences.append([word])
            }
        }
        return sentences
    }

    /// Whether a sentence ends between two words.
    ///
    /// After an abbreviation it does not: a known one such as “Mr.”, one with a point inside such as “e.g.”, or any
    /// before a word in lower case.
    private static func isEnd(_ word: Word, before next: Word) -> Bool {
        if next.start - word.end > longestPause { return true }
        let core = word.text.reversed().drop { closing.contains($0) }
        guard let mark = core.first, ends.contains(mark) else { return false }
        guard mark == "." else { return true }
        let letters = core.dropFirst()
        let isAbbreviation =
            abbreviations.contains(String(letters.reversed()).lowercased())
            || letters.contains(".") && !letters.contains(where: \.isNumber)
        return !isAbbreviation && next.text.first { $0.isLetter || $0.isNumber }?.isLowercase != true
    }

    private static let abbreviations: Set = [
        "mr", "mrs", "ms", "dr", "prof", "st", "jr", "sr", "vs", "no", "sra", "ud",
    ]
}
