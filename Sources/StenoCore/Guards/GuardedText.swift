/// The words of several passages in one list, with normalised keys for comparison: lower case without punctuation; in
/// scripts without spaces, single characters.
package struct GuardedText {
    package struct Item {
        package let passage: Int
        /// The word's index in its passage.
        package let index: Int
        package let word: Word
    }

    /// A unit of comparison; the key is never empty.
    package struct Unit {
        package let key: String
        package let item: Int
    }

    package let items: [Item]
    package let units: [Unit]

    package init(_ passages: [[Word]]) {
        items = passages.enumerated().flatMap { passage, words in
            words.enumerated().map { Item(passage: passage, index: $0, word: $1) }
        }
        units = items.enumerated().flatMap { number, item in
            Self.keys(of: item.word.rawText).map { Unit(key: $0, item: number) }
        }
    }

    /// The keys of a text whose words have no times, such as a prompt.
    package static func keys(of text: String) -> [String] {
        var keys: [String] = []
        var isOpen = false
        for scalar in text.lowercased().unicodeScalars {
            let isWide = UnspacedScript.isSyllable(scalar)
            if scalar.properties.isAlphabetic || scalar.properties.numericType != nil || isMark(scalar) {
                if isOpen, !isWide, let last = keys.indices.last {
                    keys[last].unicodeScalars.append(scalar)
                } else if !isMark(scalar) {
                    keys.append(String(scalar))
                }
                isOpen = !isWide
            } else if scalar.properties.isWhitespace {
                isOpen = false
            }
        }
        return keys
    }

    /// The length of a text in letters of an alphabet, which approximates how long it takes to say.
    static func letters(in text: some Collection<Word>) -> Double {
        text.lazy.flatMap(\.rawText.unicodeScalars).reduce(0) { sum, scalar in
            guard scalar.properties.isAlphabetic || scalar.properties.numericType != nil else { return sum }
            return sum + (UnspacedScript.isSyllable(scalar) || UnspacedScript.hangul.contains(scalar.value) ? 2.5 : 1)
        }
    }

    package func items(of units: Range<Int>) -> Range<Int> {
        guard !units.isEmpty else { return 0..<0 }
        return self.units[units.lowerBound].item..<self.units[units.upperBound - 1].item + 1
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .nonspacingMark
    }
}

/// Why a word is suspect.
struct GuardMark: Hashable {
    var kind: GuardAction.Kind
    var reason: String
}

/// Words spoken without a pause, if they were spoken; checked as a whole.
struct Phrase: Hashable {
    var items: Range<Int>
    /// Set if the model may have copied the words: from its prompt, the preceding text, or its training subtitles.
    var repeated: GuardMark?
}

extension GuardedText {
    /// A silence this long, in seconds, ends a phrase.
    private static let gap = 0.5

    /// Splits the words not removed yet into phrases, which end with a sentence, a passage or a silence; a repeated
    /// phrase is always one of its own.
    func phrases(without removed: [Int: GuardMark], repeated: [Phrase]) -> [Phrase] {
        // Which repeated phrase an item belongs to; two in a row may have equal marks.
        var numbers: [Int: Int] = [:]
        for (number, phrase) in repeated.enumerated() {
            for item in phrase.items where numbers[item] == nil { numbers[item] = number }
        }
        var phrases: [Phrase] = []
        for item in items.indices where removed[item] == nil {
            if let last = phrases.last, last.items.upperBound == item, numbers[item - 1] == numbers[item],
                !isEnd(after: item - 1, last.repeated)
            {
                phrases[phrases.count - 1].items = last.items.lowerBound..<item + 1
            } else {
                let mark = numbers[item].flatMap { repeated[$0].repeated }
                phrases.append(Phrase(items: item..<item + 1, repeated: mark))
            }
        }
        return phrases
    }

    private func isEnd(after item: Int, _ repeated: GuardMark?) -> Bool {
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
