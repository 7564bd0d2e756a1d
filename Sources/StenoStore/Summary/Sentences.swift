#if Store
    import Foundation

    /// The sentences of a text.
    enum Sentences {
        /// Splits after the signs that end a sentence; a point within a number or before a small letter ends none.
        static func split(_ text: String) -> [String] {
            var sentences: [String] = []
            var sentence = ""
            let characters = Array(text)
            for (index, character) in characters.enumerated() {
                sentence.append(character)
                guard ends.contains(character) else { continue }
                let rest = characters[(index + 1)...]
                let next = rest.first { !$0.isWhitespace }
                let isInside = rest.first.map { !$0.isWhitespace } ?? false
                if wide.contains(character) || !isInside && next?.isLowercase != true {
                    sentences.append(sentence)
                    sentence = ""
                }
            }
            return (sentences + [sentence]).map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
                .filter { !$0.isEmpty }
        }

        /// Signs without a space after them.
        private static let wide: Set<Character> = ["。", "！", "？"]
        private static let ends: Set<Character> = wide.union([".", "!", "?", "…", "।", "؟"])
    }
#endif
