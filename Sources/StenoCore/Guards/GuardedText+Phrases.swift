/// Words that the model may have copied: from its prompt, the preceding text, or its training subtitles.
struct RepeatedPhrase: Hashable {
    var items: Range<Int>
    var kind: GuardAction.Kind
    var description: String
}

/// Why a word is suspect.
struct GuardMark: Hashable {
    var kind: GuardAction.Kind
    var reason: String
}

/// Words spoken without a pause, if they were spoken; checked as a whole.
struct Phrase: Hashable {
    var items: Range<Int>
    var repeated: RepeatedPhrase?
}

extension GuardedText {
    /// A silence this long, in seconds, ends a phrase.
    private static let gap = 0.5

    /// Splits the words not removed yet into phrases, which end with a sentence, a passage or a silence; a repeated
    /// phrase is always one of its own.
    func phrases(without removed: [Int: GuardMark], repeated: [RepeatedPhrase]) -> [Phrase] {
        var phraseOf: [Int: RepeatedPhrase] = [:]
        for found in repeated {
            for item in found.items where phraseOf[item] == nil { phraseOf[item] = found }
        }
        var phrases: [Phrase] = []
        for item in items.indices where removed[item] == nil {
            if let last = phrases.last, last.items.upperBound == item, last.repeated == phraseOf[item],
                !isEnd(after: item - 1, last.repeated)
            {
                phrases[phrases.count - 1].items = last.items.lowerBound..<item + 1
            } else {
                phrases.append(Phrase(items: item..<item + 1, repeated: phraseOf[item]))
            }
        }
        return phrases
    }

    private func isEnd(after item: Int, _ repeated: RepeatedPhrase?) -> Bool {
        let (left, right) = (items[item], items[item + 1])
        if left.passage != right.passage || right.word.start - left.word.end > Self.gap { return true }
        return repeated == nil && left.word.rawText.trimmingWhitespace.last.map(".!?…。！？".contains) == true
    }

    /// Groups marked words into spans with one reason, split at the ends of passages.
    func spans(_ marks: [Int: GuardMark]) -> [GuardVerdict.Span] {
        var spans: [GuardVerdict.Span] = []
        for item in items.indices {
            guard let mark = marks[item] else { continue }
            let (passage, index, word) = (items[item].passage, items[item].index, items[item].word)
            if let last = spans.last, last.passage == passage, last.words.upperBound == index,
                last.action.kind == mark.kind, last.action.reason == mark.reason
            {
                spans[spans.count - 1].words = last.words.lowerBound..<index + 1
                spans[spans.count - 1].action.end = word.end
                spans[spans.count - 1].action.text += word.rawText
            } else {
                let action = GuardAction(
                    kind: mark.kind, start: word.start, end: word.end, text: word.rawText, reason: mark.reason)
                spans.append(GuardVerdict.Span(passage: passage, words: index..<index + 1, action: action))
            }
        }
        return spans
    }
}
