public import StenoCore

/// Turns text into token ids and back, and knows the ids that are not text.
///
/// It is a value that can be shared freely. The table that encoding needs is made at the first use, because many
/// programs only ever decode.
public struct Tokenizer: Sendable {
    /// The bytes of every id.
    public let vocabulary: Vocabulary
    /// The ids that are not text.
    public let specialTokens: SpecialTokens

    private let encoder: BytePairEncoder
    private let lazyNonSpeechTokens: Lazy<[Int]>

    /// Creates a tokenizer for a vocabulary that spells out its special tokens.
    ///
    /// - Throws: ``StenoError`` with code `modelUnsupported` when the vocabulary is not a Whisper model's.
    public init(vocabulary: Vocabulary) throws {
        try self.init(vocabulary: vocabulary, specialTokens: SpecialTokens(vocabulary: vocabulary))
    }

    /// Creates a tokenizer for a vocabulary of text alone, as GGML files have it.
    ///
    /// - Throws: ``StenoError`` with code `modelUnsupported` when there are not tokens for all 256 bytes among the
    ///   text, so that some text could not be encoded.
    public init(vocabulary: Vocabulary, specialTokens: SpecialTokens) throws {
        let missing = vocabulary.bytesWithoutToken(below: specialTokens.endOfText)
        guard missing == 0 else {
            throw StenoError(
                .modelUnsupported,
                "The vocabulary has no tokens for \(missing) of the 256 bytes, so it is not that of a Whisper model.")
        }
        let encoder = BytePairEncoder(vocabulary, textTokenCount: specialTokens.endOfText)
        self.vocabulary = vocabulary
        self.specialTokens = specialTokens
        self.encoder = encoder
        lazyNonSpeechTokens = Lazy { NonSpeechTokens.find(encode: encoder.encode) }
    }

    /// The tokens of a text; special tokens written in it, such as `<|en|>`, are text like any other.
    public func encode(_ text: String) -> [Int] { encoder.encode(text) }

    /// The text of tokens, without the special ones; bytes that are not UTF-8 become U+FFFD.
    public func decode(_ tokens: some Sequence<Int>) -> String {
        var bytes: [UInt8] = []
        for token in tokens where token < specialTokens.endOfText {
            bytes.append(contentsOf: vocabulary.bytes(of: token))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text of tokens with the times in it, such as `<|1.08|>`; the other special tokens are left out.
    public func decodeWithTimestamps(_ tokens: [Int]) -> String {
        tokens.split(omittingEmptySubsequences: false) { $0 >= specialTokens.timestampBegin }
            .reduce(into: "") { text, run in
                if run.startIndex > 0 { text += timestampText(tokens[run.startIndex - 1]) }
                text += decode(run)
            }
    }

    /// The bytes of a token; none for an id outside the vocabulary.
    public func bytes(of token: Int) -> ArraySlice<UInt8> { vocabulary.bytes(of: token) }

    /// The tokens that write what nobody says, such as brackets and notes of music, in ascending order.
    public var nonSpeechTokens: [Int] { lazyNonSpeechTokens.value }

    /// `<|1.08|>` for the token of 1.08 s, in whole numbers: times are steps of two hundredths.
    private func timestampText(_ token: Int) -> String {
        let hundredths = (token - specialTokens.timestampBegin) * 2
        let fraction = hundredths % 100
        return "<|\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)|>"
    }
}
