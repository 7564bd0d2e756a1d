package import StenoCore

/// A piece of text as a system recogniser reports it: final, or a guess that the next report replaces.
package struct RecognizedPhrase: Sendable, Hashable {
    /// The text, with or without a space before it; empty withdraws a guess.
    package var text: String
    /// The start in seconds from the start of the audio.
    package var start: Double
    package var end: Double
    /// The words with their times; empty if the recogniser does not report them.
    package var words: [Word]
    /// Whether it never changes.
    package var isFinal: Bool

    package init(_ text: String, start: Double, end: Double, words: [Word] = [], isFinal: Bool) {
        self.text = text
        self.start = start
        self.end = end
        self.words = words
        self.isFinal = isFinal
    }
}

extension RecognizedPhrase {
    /// The words before a time and those after it; the middle of a word decides.
    ///
    /// Without word times, all words count as equally long.
    func split(at seconds: Double) -> (before: RecognizedPhrase?, after: RecognizedPhrase?) {
        if end <= seconds { return (self, nil) }
        if start >= seconds { return (nil, self) }
        let count = words.prefix { ($0.start + $0.end) / 2 < seconds }.count
        let cut: String.Index
        if words.isEmpty {
            cut = RepeatedText.end(of: (seconds - start) / (end - start), in: text)
        } else {
            let letters = words[..<count].reduce(0) { $0 + RepeatedText.letters($1.rawText) }
            cut = letters == 0 ? text.startIndex : RepeatedText.index(in: text, afterLetters: letters)
        }
        var before = self, after = self.after(cut, words: Array(words[count...]), from: seconds)
        before.text = String(text[..<cut])
        before.words = Array(words[..<count])
        before.end = min(seconds, max(start, before.words.last?.end ?? seconds))
        after.start = min(after.end, after.words.first.map { max(start, $0.start) } ?? seconds)
        return (before.isBlank ? nil : before, after.isBlank ? nil : after)
    }

    /// The part of this phrase that follows an earlier version of it; nil if there is none.
    func after(_ earlier: RecognizedPhrase) -> RecognizedPhrase? {
        if !words.isEmpty || end <= earlier.end { return split(at: earlier.end).after }
        guard let cut = RepeatedText.end(of: earlier.text, in: text) else { return self }
        let rest = after(cut, words: [], from: earlier.end)
        return rest.isBlank ? nil : rest
    }

    /// The text from an index on, with the words that belong to it.
    private func after(_ index: String.Index, words: [Word], from seconds: Double) -> RecognizedPhrase {
        var rest = self
        rest.text = String(text[index...])
        rest.words = words
        rest.start = min(end, max(start, seconds))
        return rest
    }

    /// Whether it has no visible text.
    var isBlank: Bool { text.allSatisfy(\.isWhitespace) }
}
