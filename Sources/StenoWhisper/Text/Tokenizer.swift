package import StenoCompute
package import StenoCore

/// Converts text to token ids and back.
///
/// It is a value that can be shared freely. The table needed for encoding is built on first use, because many programs
/// only decode.
package struct Tokenizer: Sendable {
    package let vocabulary: Vocabulary
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
        try ensure(
            missing == 0, or: .modelUnsupported,
            "The vocabulary has no tokens for \(missing) of the 256 bytes, so it is not a Whisper vocabulary. "
                + "Choose a Whisper model.")
        let encoder = BytePairEncoder(vocabulary, textTokenCount: specialTokens.endOfText)
        (self.vocabulary, self.specialTokens, self.encoder) = (vocabulary, specialTokens, encoder)
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

/// A word as a list of tokens, without times.
package struct WordTokens: Sendable, Hashable {
    /// The word with the space before it.
    package var text: String
    package var tokens: [Int]
}

extension Tokenizer {
    /// Groups tokens into words as faster-whisper does: at spaces, or at every complete character in languages written
    /// without spaces between words.
    ///
    /// Special tokens are words of their own, with empty text, or with the time they represent.
    package func splitToWordTokens(_ tokens: [Int], language: String) -> [WordTokens] {
        let characters = splitOnUnicode(tokens)
        return Self.unspacedLanguages.contains(language) ? characters : joinAtSpaces(characters)
    }

    private static let unspacedLanguages: Set = ["zh", "ja", "th", "lo", "my", "yue"]

    /// The shortest runs of tokens whose text consists of complete characters.
    ///
    /// A replacement character means that a character is still incomplete, unless the whole text has one in the same
    /// place: then its bytes are invalid and never become complete.
    private func splitOnUnicode(_ tokens: [Int]) -> [WordTokens] {
        let replacement: Unicode.Scalar = "\u{FFFD}"
        let whole = Array(decodeWithTimestamps(tokens).unicodeScalars)
        var words: [WordTokens] = []
        var current: [Int] = []
        var offset = 0
        for token in tokens {
            current.append(token)
            let text = decodeWithTimestamps(current)
            let scalars = Array(text.unicodeScalars)
            if let broken = scalars.firstIndex(of: replacement) {
                guard offset + broken < whole.count, whole[offset + broken] == replacement else { continue }
            }
            words.append(WordTokens(text: text, tokens: current))
            current.removeAll()
            offset += scalars.count
        }
        return words
    }

    private func joinAtSpaces(_ pieces: [WordTokens]) -> [WordTokens] {
        var words: [WordTokens] = []
        for piece in pieces {
            if words.isEmpty || startsWord(piece) {
                words.append(piece)
            } else {
                words[words.count - 1].text += piece.text
                words[words.count - 1].tokens += piece.tokens
            }
        }
        return words
    }

    private func startsWord(_ piece: WordTokens) -> Bool {
        piece.tokens[0] >= specialTokens.endOfText || piece.text.utf8.first == UInt8(ascii: " ")
            || Self.isPunctuation(piece.text)
    }

    private static let punctuation = Array("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~".utf8)

    /// Whether a text, without surrounding white space, is empty or a run of ASCII punctuation in code order.
    ///
    /// The order is an artefact of Python's substring test, but word boundaries depend on it.
    private static func isPunctuation(_ text: String) -> Bool {
        let scalars = Array(text.unicodeScalars)
        guard let first = scalars.firstIndex(where: { !isSpace($0) }),
            let last = scalars.lastIndex(where: { !isSpace($0) })
        else { return true }
        let core = scalars[first...last]
        guard core.count <= punctuation.count else { return false }
        return (0...punctuation.count - core.count).contains { start in
            zip(core, punctuation[start...]).allSatisfy { $0.value == UInt32($1) }
        }
    }

    /// White space as defined by Python's `str.strip`: Unicode's, and the four ASCII separators.
    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || (0x1C...0x1F).contains(scalar.value)
    }
}

extension Tokenizer {
    /// The token of a language given as for ``languageCode(for:)``.
    ///
    /// - Throws: ``StenoError`` with code `unknownLanguage`, with suggestions.
    package func languageToken(for language: String) throws -> Int {
        let code = try languageCode(for: language)
        guard let token = specialTokens.languageToken(code: code) else { throw unknown(language) }
        return token
    }

    /// The code that this model's token has for a language given as a code, a BCP 47 tag or an English name, in any
    /// case, such as `en`, `en-US`, `English` or `castilian`.
    ///
    /// The model's own codes take precedence, since a fine-tuned model may have `fil` or `zh-TW`.
    ///
    /// - Throws: ``StenoError`` with code `unknownLanguage`, with suggestions.
    package func languageCode(for language: String) throws -> String {
        let known = specialTokens.isMultilingual ? specialTokens.languages.map(\.code) : ["en"]
        for spelling in [language, Languages.code(for: language)].compactMap({ $0 }) {
            if let code = LanguageCodes.code(for: spelling, among: known) { return code }
        }
        throw unknown(language)
    }

    /// The tokens at the start of every window's transcript: start of transcript, language, task, and whether to omit
    /// timestamps.
    ///
    /// English-only models have neither language nor task.
    ///
    /// - Throws: ``StenoError`` with code `unknownLanguage`.
    package func sotSequence(language: String, task: TranscriptionTask, withoutTimestamps: Bool) throws -> [Int] {
        var sequence = [specialTokens.startOfTranscript]
        if !specialTokens.isMultilingual {
            _ = try languageCode(for: language)
        } else {
            sequence.append(try languageToken(for: language))
            sequence.append(task == .translate ? specialTokens.translate : specialTokens.transcribe)
        }
        if withoutTimestamps { sequence.append(specialTokens.noTimestamps) }
        return sequence
    }

    private func unknown(_ language: String) -> StenoError { StenoError(.unknownLanguage, unknownMessage(language)) }

    private func unknownMessage(_ language: String) -> String {
        guard specialTokens.isMultilingual else {
            return "This is an English-only model (.en), so it does not know \(Self.quoted(language)). "
                + "Use a multilingual model: the same name without \".en\"."
        }
        guard let code = Languages.code(for: language), let name = Languages.name(of: code) else {
            return Self.unknownMessage(language)
        }
        return "This model knows \(specialTokens.languages.count) languages, but not \(name) (\(code)). "
            + "Use one that does, such as large-v3 or turbo, or leave the language out to have it detected."
    }

    private static func unknownMessage(_ language: String) -> String {
        let close = Languages.suggestions(for: language).map { "\($0.name) (\($0.code))" }
        let hint =
            close.isEmpty
            ? "Give a code, a tag such as \"en-US\" or an English name such as \"German\". Its codes are: "
                + SpecialTokens.languageCodes.joined(separator: ", ") + "."
            : "Did you mean \(close.joined(separator: " or "))?"
        return "Whisper does not know the language \(quoted(language)). \(hint)"
    }

    private static func quoted(_ language: String) -> String { "\"\(language.prefix(40))\"" }
}
