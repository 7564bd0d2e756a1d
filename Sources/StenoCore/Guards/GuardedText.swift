/// The words of several passages in one list, with normalised keys for comparison: lower case without punctuation; in
/// scripts without spaces, single characters.
package struct GuardedText {
    /// A word and its place.
    package struct Item {
        package let passage: Int
        /// The word's index in its passage.
        package let index: Int
        package let word: Word
    }

    /// A unit of comparison; the key is never empty.
    package struct Unit {
        /// The text to compare.
        package let key: String
        /// The index of the item it is part of.
        package let item: Int
    }

    /// The words of all passages.
    package let items: [Item]
    /// The units of comparison in the items, in order.
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

    /// The items that a range of units belongs to.
    package func items(of units: Range<Int>) -> Range<Int> {
        guard !units.isEmpty else { return 0..<0 }
        return self.units[units.lowerBound].item..<self.units[units.upperBound - 1].item + 1
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .nonspacingMark
    }
}
