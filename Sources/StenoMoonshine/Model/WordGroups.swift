import StenoCore

enum WordGroups {
    /// The words of a text: between spaces, or in scripts without spaces every complete character, with the punctuation
    /// after it.
    static func split(_ tokens: [Int], _ tokenizer: MoonshineTokenizer) -> [TokenWord] {
        tokenizer.words(tokens).flatMap { word -> [TokenWord] in
            guard word.text.unicodeScalars.contains(where: UnspacedScript.containsLetter) else { return [word] }
            let characters = tokenizer.words(Array(tokens[word.tokens]), isSpaced: false).map { character in
                let start = word.tokens.lowerBound
                return TokenWord(
                    text: character.text,
                    tokens: start + character.tokens.lowerBound..<start + character.tokens.upperBound)
            }
            return joiningPunctuation(characters)
        }
    }

    private static func joiningPunctuation(_ pieces: [TokenWord]) -> [TokenWord] {
        pieces.reduce(into: []) { words, piece in
            let hasLetters = piece.text.unicodeScalars.contains {
                $0.properties.isAlphabetic || $0.properties.numericType != nil
            }
            if !hasLetters, let last = words.indices.last {
                words[last].text += piece.text
                words[last].tokens = words[last].tokens.lowerBound..<piece.tokens.upperBound
            } else {
                words.append(piece)
            }
        }
    }
}
