package import StenoCompute
import StenoCore

/// Converts Moonshine's token ids to text.
package struct MoonshineTokenizer: Sendable {
    /// The bytes of every id, with spaces where the pieces have `▁`; special tokens have none.
    package let vocabulary: Vocabulary
    private let special: Set<Int>

    init(_ file: TokenizerFile) {
        vocabulary = file.vocabulary
        special = file.special
    }

    /// Whether a token has no text: `<s>`, `</s>`, `<unk>`, `<<ST_0>>` and so on.
    package func isSpecial(_ token: Int) -> Bool { special.contains(token) }

    /// The text of tokens without the space that begins its first word; bytes that are not valid UTF-8 become U+FFFD.
    package func decode(_ tokens: some Sequence<Int>) -> String {
        let bytes = tokens.flatMap { vocabulary.bytes(of: $0) }
        return String(decoding: bytes.first == UInt8(ascii: " ") ? bytes.dropFirst() : bytes[...], as: UTF8.self)
    }

    /// Groups tokens into words.
    ///
    /// Special tokens belong to the word before them.
    ///
    /// - Parameter isSpaced: Whether words begin with spaces. If not, as in Chinese and Japanese, every complete character
    ///   is a word.
    package func words(_ tokens: [Int], isSpaced: Bool = true) -> [TokenWord] {
        var starts: [Int] = []
        var missing = 0
        for (index, token) in tokens.enumerated() {
            let bytes = vocabulary.bytes(of: token)
            guard let first = bytes.first else { continue }
            // A byte of a character's middle never starts a word.
            let begins = missing == 0 && (!isSpaced || first == UInt8(ascii: " "))
            if begins || starts.isEmpty { starts.append(index) }
            missing = Self.missingBytes(after: bytes, missing)
        }
        if !starts.isEmpty { starts[0] = 0 }
        return zip(starts, starts.dropFirst() + [tokens.count]).map { start, end in
            let bytes = tokens[start..<end].flatMap { vocabulary.bytes(of: $0) }
            return TokenWord(text: String(decoding: bytes, as: UTF8.self), tokens: start..<end)
        }
    }

    /// The number of bytes that the last character still needs.
    private static func missingBytes(after bytes: ArraySlice<UInt8>, _ missing: Int) -> Int {
        bytes.reduce(missing) { missing, byte in
            switch byte {
            case 0x80..<0xC0: max(missing - 1, 0)
            case 0xC0..<0xE0: 1
            case 0xE0..<0xF0: 2
            case 0xF0...: 3
            default: 0
            }
        }
    }
}

package struct TokenWord: Sendable, Hashable {
    /// The word, with the space before it.
    package var text: String
    /// The indices of its tokens in the text.
    package var tokens: Range<Int>
}
