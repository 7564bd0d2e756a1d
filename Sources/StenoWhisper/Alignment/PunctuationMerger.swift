import StenoCore

/// Joins punctuation to the neighbouring word, so that no quotation mark or comma becomes a word of its own.
struct PunctuationMerger: Sendable {
    /// Marks joined to the following word.
    let prepended: String
    /// Marks joined to the preceding word.
    let appended: String

    /// Joins marks to words; a mark that was joined remains as a word without text and tokens, as in the reference.
    func merge(_ words: inout [UtteranceWord]) {
        mergePrepended(&words)
        mergeAppended(&words)
    }

    private func mergePrepended(_ words: inout [UtteranceWord]) {
        var following = words.count - 1
        for index in words.indices.dropLast().reversed() {
            let mark = words[index].text
            guard mark.hasPrefix(" "), mark.trimmingWhitespace.isContained(in: prepended) else {
                following = index
                continue
            }
            words[following].text = mark + words[following].text
            words[following].handle = words[index].handle + words[following].handle
            words[index].text = ""
            words[index].handle = []
        }
    }

    private func mergeAppended(_ words: inout [UtteranceWord]) {
        var previous = 0
        for index in words.indices.dropFirst() {
            let mark = words[index].text
            guard !words[previous].text.hasSuffix(" "), mark.isContained(in: appended) else {
                previous = index
                continue
            }
            words[previous].text += mark
            words[previous].handle += words[index].handle
            words[index].text = ""
            words[index].handle = []
        }
    }
}

extension String {
    /// Whether the text is a substring of a list of marks; the empty text is a substring of any.
    func isContained(in marks: String) -> Bool { isEmpty || marks.contains(self) }
}
