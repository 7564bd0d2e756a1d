package import StenoCompute
import StenoCore

/// Converts text to token ids and back.
///
/// It is a value that can be shared freely. The table needed for encoding is built on first use, because many programs
/// only decode.
package struct Tokenizer: Sendable {
    /// The bytes of every id.
    package let vocabulary: Vocabulary
    /// The ids of non-text tokens.
    package let specialTokens: SpecialTokens

    private let encoder: BytePairEncoder
    private let lazyNonSpeechTokens: Lazy<[Int]>

    /// Creates a tokenizer for a vocabulary that includes the names of its special tokens.
    ///
    /// - Throws: ``StenoError`` with code `modelUnsupported` when the vocabulary is not a Whisper model's.
    package init(vocabulary: Vocabulary) throws {
        try self.init(vocabulary: vocabulary, specialTokens: SpecialTokens(vocabulary: vocabulary))
    }

    /// Creates a tokenizer for a vocabulary of text tokens only, as in GGML files.
    ///
    /// - Throws: ``StenoError`` with code `modelUnsupported` when the text tokens do not cover all 256 bytes, so that
    ///   some text could not be encoded.
    package init(vocabulary: Vocabulary, specialTokens: SpecialTokens) throws {
        let missing = vocabulary.bytesWithoutToken(below: specialTokens.endOfText)
        guard missing == 0 else {
            throw StenoError(
                .modelUnsupported,
                "The vocabulary has no tokens for \(missing) of the 256 bytes, so it is not a Whisper vocabulary. "
                    + "Choose a Whisper model.")
        }
        let encoder = BytePairEncoder(vocabulary, textTokenCount: specialTokens.endOfText)
        self.vocabulary = vocabulary
        self.specialTokens = specialTokens
        self.encoder = encoder
        lazyNonSpeechTokens = Lazy { NonSpeechTokens.find(encode: encoder.encode) }
    }

    /// The tokens of a text; special tokens spelled out in it, such as `<|en|>`, are treated as text.
    package func encode(_ text: String) -> [Int] { encoder.encode(text) }

    /// The text of tokens, without special tokens; bytes that are not valid UTF-8 become U+FFFD.
    package func decode(_ tokens: some Sequence<Int>) -> String {
        var bytes: [UInt8] = []
        for token in tokens where token < specialTokens.endOfText {
            bytes.append(contentsOf: vocabulary.bytes(of: token))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text of tokens with timestamps such as `<|1.08|>`; other special tokens are omitted.
    package func decodeWithTimestamps(_ tokens: [Int]) -> String {
        tokens.split(omittingEmptySubsequences: false) { $0 >= specialTokens.timestampBegin }
            .reduce(into: "") { text, run in
                if run.startIndex > 0 { text += timestampText(tokens[run.startIndex - 1]) }
                text += decode(run)
            }
    }

    /// The bytes of a token; none for an id outside the vocabulary.
    package func bytes(of token: Int) -> ArraySlice<UInt8> { vocabulary.bytes(of: token) }

    /// The tokens of text that is not speech, such as brackets and musical notes, in ascending order.
    package var nonSpeechTokens: [Int] { lazyNonSpeechTokens.value }

    /// `<|1.08|>` for the token of 1.08 s, computed with integers: timestamps are multiples of 0.02 s.
    private func timestampText(_ token: Int) -> String {
        let hundredths = (token - specialTokens.timestampBegin) * 2
        let fraction = hundredths % 100
        return "<|\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)|>"
    }
}
