import StenoCore

/// Joins punctuation to the word it belongs to, so that neither a quotation mark nor a comma is a word of its own.
struct PunctuationMerger: Sendable {
    /// Marks that belong to the word after them.
    let prepended: String
    /// Marks that belong to the word before them.
    let appended: String

    /// Joins marks to words; what was joined stays in place as a word without text and tokens, as in the reference.
    func merge(_ words: inout [TimedWord]) {
        mergePrepended(&words)
        mergeAppended(&words)
    }

    private func mergePrepended(_ words: inout [TimedWord]) {
        var following = words.count - 1
        for index in words.indices.dropLast().reversed() {
            let mark = words[index].text
            guard mark.hasPrefix(" "), mark.trimmingWhitespace.isContained(in: prepended) else {
                following = index
                continue
            }
            words[following].text = mark + words[following].text
            words[following].tokens = words[index].tokens + words[following].tokens
            words[index].text = ""
            words[index].tokens = []
        }
    }

    private func mergeAppended(_ words: inout [TimedWord]) {
        var previous = 0
        for index in words.indices.dropFirst() {
            let mark = words[index].text
            guard !words[previous].text.hasSuffix(" "), mark.isContained(in: appended) else {
                previous = index
                continue
            }
            words[previous].text += mark
            words[previous].tokens += words[index].tokens
            words[index].text = ""
            words[index].tokens = []
        }
    }
}

extension String {
    /// Whether the text is part of a list of marks; the empty text is part of any.
    func isContained(in marks: String) -> Bool { isEmpty || marks.contains(self) }
}
