#if Store
    import Foundation
    import Steno

    /// Texts and queries as the index reads them.
    enum SearchText {
        /// Separates characters of scripts without spaces; the tokenizer treats it as the end of a word, and it is
        /// invisible.
        private static let divider: Character = "\u{200B}"

        /// A text in which every character of Chinese, Japanese, Thai and other scripts without spaces is a word of its
        /// own, so that any part of a sentence can be found.
        static func divided(_ text: String) -> String {
            guard text.unicodeScalars.contains(where: UnspacedScript.contains) else { return text }
            var result = ""
            for character in text {
                let isUnspaced = character.unicodeScalars.contains(where: UnspacedScript.contains)
                result += isUnspaced ? "\(divider)\(character)\(divider)" : String(character)
            }
            return result
        }

        /// The text as it was before ``divided(_:)``.
        static func joined(_ text: String) -> String { text.filter { $0 != divider } }

        /// The query in the index's own language (SQLite's FTS5): all words, whose ends may be missing, and all phrases
        /// between quotation marks; nil when there is no word in it.
        static func pattern(_ query: String) -> String? {
            var terms: [String] = []
            for (index, part) in query.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
                let isPhrase = index % 2 == 1
                let words = isPhrase ? [part] : part.split(whereSeparator: \.isWhitespace)
                for word in words where word.contains(where: { $0.isLetter || $0.isNumber }) {
                    terms.append("\"\(divided(String(word)))\"" + (isPhrase ? "" : "*"))
                }
            }
            return terms.isEmpty ? nil : terms.joined(separator: " AND ")
        }
    }
#endif
