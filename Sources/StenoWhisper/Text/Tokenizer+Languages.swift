package import StenoCore

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

    private func unknown(_ language: String) -> StenoError {
        StenoError(.unknownLanguage, unknownMessage(language))
    }

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
