package import StenoCompute
import StenoCore

/// The ids of the non-text tokens: start and end of text, languages, tasks, timestamps.
///
/// They follow the text tokens, at ids that differ between English-only models, multilingual ones and those with
/// Cantonese, so they are read from the vocabulary.
package struct SpecialTokens: Sendable, Hashable {
    package struct LanguageToken: Sendable, Hashable {
        package let code: String
        package let id: Int
    }

    /// `<|endoftext|>`: the end of a window's text; lower ids are text.
    package let endOfText: Int
    /// `<|startoftranscript|>`: the start of every transcript.
    package let startOfTranscript: Int
    /// `<|translate|>`: the task of translating into English.
    package let translate: Int
    /// `<|transcribe|>`: the task of transcribing in the spoken language.
    package let transcribe: Int
    /// `<|startoflm|>`: text without audio; not used in transcription.
    package let startOfLM: Int
    /// `<|startofprev|>`: introduces the previous text.
    package let startOfPrevious: Int
    /// `<|nospeech|>`, called `<|nocaptions|>` in older files: there is no speech.
    package let noSpeech: Int
    /// `<|notimestamps|>`: the text has no timestamps.
    package let noTimestamps: Int
    /// `<|0.00|>`: the start of the window; each id after it is 0.02 s later, up to 30 s.
    package let timestampBegin: Int
    /// The languages in the order of their ids.
    package let languages: [LanguageToken]
    /// Whether the model was trained on languages other than English; if not, its prompt has no language and task
    /// tokens.
    package let isMultilingual: Bool

    package func languageToken(code: String) -> Int? { languages.first { $0.code == code }?.id }
}

extension SpecialTokens {
    /// Finds the special tokens in a vocabulary that lists them by name.
    ///
    /// - Throws: ``StenoError`` with code `modelUnsupported` when one is missing, so that it cannot be a Whisper
    ///   model's.
    package init(vocabulary: Vocabulary) throws {
        let ids = Self.names(in: vocabulary)
        func id(_ names: String...) throws -> Int {
            for name in names { if let id = ids[name] { return id } }
            throw StenoError(
                .modelUnsupported,
                "The vocabulary has no <|\(names[0])|> token, so Steno cannot run this model. Choose a Whisper model.")
        }
        let startOfTranscript = try id("startoftranscript")
        let translate = try id("translate")
        let endOfText = try id("endoftext")
        let noTimestamps = try id("notimestamps")
        self.init(
            endOfText: endOfText, startOfTranscript: startOfTranscript, translate: translate,
            transcribe: try id("transcribe"), startOfLM: try id("startoflm"), startOfPrevious: try id("startofprev"),
            noSpeech: try id("nospeech", "nocaptions"), noTimestamps: noTimestamps,
            timestampBegin: ids["0.00"] ?? noTimestamps + 1,
            // A fine-tuned model may have additional languages, or known ones at other ids.
            languages: ids.filter { name, id in
                Languages.name(of: name) != nil || (startOfTranscript + 1..<max(translate, startOfTranscript + 1)) ~= id
            }
            .map { LanguageToken(code: $0.key, id: $0.value) }.sorted { $0.id < $1.id },
            // Multilingual vocabularies have an empty token where GPT-2's has <|endoftext|>.
            isMultilingual: (0..<endOfText).contains { vocabulary.range(of: $0).isEmpty })
    }

    /// The ids of all tokens of the form `<|name|>`, by name; of the timestamps, only the first.
    private static func names(in vocabulary: Vocabulary) -> [String: Int] {
        var ids: [String: Int] = [:]
        for id in 0..<vocabulary.count {
            let range = vocabulary.range(of: id)
            guard range.count > 4, vocabulary.storage[range.lowerBound] == UInt8(ascii: "<") else { continue }
            let bytes = vocabulary.storage[range]
            guard bytes.starts(with: "<|".utf8), bytes.suffix(2).elementsEqual("|>".utf8) else { continue }
            let name = bytes.dropFirst(2).dropLast(2)
            // The other 1,500 timestamps would only fill the dictionary.
            if case .some(0x30...0x39) = name.first, !name.elementsEqual("0.00".utf8) { continue }
            let text = String(decoding: name, as: UTF8.self)
            if ids[text] == nil { ids[text] = id }
        }
        return ids
    }

    /// The codes of Whisper's languages in the order of their tokens; only large-v3 and turbo have the last one.
    package static let languageCodes: [String] = [
        "en", "zh", "de", "es", "ru", "ko", "fr", "ja", "pt", "tr", "pl", "ca", "nl", "ar", "sv", "it", "id", "hi",
        "fi", "vi", "he", "uk", "el", "ms", "cs", "ro", "da", "hu", "ta", "no", "th", "ur", "hr", "bg", "lt", "la",
        "mi", "ml", "cy", "sk", "te", "fa", "lv", "bn", "sr", "az", "sl", "kn", "et", "mk", "br", "eu", "is", "hy",
        "ne", "mn", "bs", "kk", "sq", "sw", "gl", "mr", "pa", "si", "km", "sn", "yo", "so", "af", "oc", "ka", "be",
        "tg", "sd", "gu", "am", "yi", "lo", "uz", "fo", "ht", "ps", "tk", "nn", "mt", "sa", "lb", "my", "bo", "tl",
        "mg", "as", "tt", "haw", "ln", "ha", "ba", "jw", "su", "yue",
    ]

    /// Derives the special tokens from the number of ids, for GGML files, which do not name them.
    ///
    /// English-only models have 51,864 ids, multilingual ones 51,865 and one more for each language beyond 99.
    ///
    /// - Throws: ``StenoError`` with code `modelUnsupported` when no Whisper model has that many.
    package init(vocabularySize: Int) throws {
        let isMultilingual = vocabularySize >= 51865
        let languageCount = vocabularySize &- (isMultilingual ? 51766 : 51765)
        try ensure(
            (1...Self.languageCodes.count).contains(languageCount), or: .modelUnsupported,
            "A vocabulary of \(vocabularySize) tokens is not a Whisper vocabulary, which has 51864 to 51866. "
                + "Choose a Whisper model.")
        let endOfText = isMultilingual ? 50257 : 50256
        let afterLanguages = endOfText + 2 + languageCount
        self.init(
            endOfText: endOfText, startOfTranscript: endOfText + 1, translate: afterLanguages,
            transcribe: afterLanguages + 1, startOfLM: afterLanguages + 2, startOfPrevious: afterLanguages + 3,
            noSpeech: afterLanguages + 4, noTimestamps: afterLanguages + 5, timestampBegin: afterLanguages + 6,
            languages: Self.languageCodes.prefix(languageCount).enumerated().map {
                LanguageToken(code: $1, id: endOfText + 2 + $0)
            },
            isMultilingual: isMultilingual)
    }
}

/// The tokens of text that is not speech: brackets around stage directions, speaker tags, musical notes.
///
/// Whisper learned them from subtitles, and suppressing them restricts the text to what was spoken; ordinary
/// punctuation is kept. The list of symbols is openai-whisper's, so that the same tokens are suppressed.
enum NonSpeechTokens {
    private static let symbols =
        "\"#()*+/:;<=>@[\\]^_`{|}~「」『』".unicodeScalars.map(String.init)
        + [
            "<<", ">>", "<<<", ">>>", "--", "---", "-(", "-[", "('", "(\"", "((", "))", "(((", ")))", "[[", "]]", "{{",
            "}}", "♪♪", "♪♪♪",
        ]

    /// Musical symbols, which may take several tokens.
    ///
    /// Their first token is shared only with other symbols from U+2640 to U+267F, so suppressing it is harmless.
    private static let music = "♩♪♫♬♭♮♯".unicodeScalars.map(String.init)

    /// The ids in ascending order.
    static func find(encode: (String) -> [Int]) -> [Int] {
        // Hyphens and apostrophes are allowed within words, but not at the start of one.
        var tokens = Set([" -", " '"].compactMap { encode($0).first })
        for spelling in (symbols + music).flatMap({ [$0, " " + $0] }) {
            let encoded = encode(spelling)
            guard let first = encoded.first, encoded.count == 1 || isMusic(spelling) else { continue }
            tokens.insert(first)
        }
        return tokens.sorted()
    }

    private static func isMusic(_ spelling: String) -> Bool {
        music.contains { spelling == $0 || spelling == " " + $0 }
    }
}
