package import StenoCore

extension Tokenizer {
    /// The token of a language given as a code or English name, in any case, such as `en`, `English` or `castilian`.
    ///
    /// - Throws: ``StenoError`` with code `unknownLanguage`, with suggestions.
    package func languageToken(for language: String) throws -> Int {
        let code = try code(for: language)
        if let token = specialTokens.languageToken(code: code) { return token }
        if let name = Languages.name(of: code) {
            throw StenoError(
                .unknownLanguage,
                "This model knows \(specialTokens.languages.count) languages, but not \(name) (\(code)). "
                    + "Use one that does, such as large-v3 or turbo, or leave the language out to have it detected.")
        }
        throw StenoError(.unknownLanguage, Self.unknownMessage(language))
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
            _ = try code(for: language)
        } else {
            sequence.append(try languageToken(for: language))
            sequence.append(task == .translate ? specialTokens.translate : specialTokens.transcribe)
        }
        if withoutTimestamps { sequence.append(specialTokens.noTimestamps) }
        return sequence
    }

    /// The code of a language; for an unknown one its lower-case form, since a fine-tuned model may have additional
    /// codes.
    private func code(for language: String) throws -> String {
        let code = Languages.code(for: language) ?? language.lowercased()
        guard specialTokens.isMultilingual || code == "en" else {
            throw StenoError(
                .unknownLanguage,
                "This is an English-only model (.en), so it does not know \(Self.quoted(language)). "
                    + "Use a multilingual model: the same name without \".en\".")
        }
        return code
    }

    private static func unknownMessage(_ language: String) -> String {
        let close = Languages.suggestions(for: language).map { "\($0.name) (\($0.code))" }
        let hint =
            close.isEmpty
            ? "Give a code, a tag such as \"en-US\" or an English name such as \"German\". Its codes are: "
                + Languages.all.map(\.code).joined(separator: ", ") + "."
            : "Did you mean \(close.joined(separator: " or "))?"
        return "Whisper does not know the language \(quoted(language)). \(hint)"
    }

    private static func quoted(_ language: String) -> String { "\"\(language.prefix(40))\"" }
}
