import StenoCore

/// The languages that a model knows, and whether it can be given the spoken one, or reports it.
enum SpokenLanguages: Sendable, Hashable {
    /// It knows one language.
    case one(String)
    /// It detects the language, cannot be given it, and does not report it.
    case silent([String])
    /// It can be given by a prompt, and otherwise detects the language and names it: the prompts by their codes.
    case prompted([String: Int])

    /// The languages of a model.
    ///
    /// Only models with prompts list theirs. Otherwise the vocabulary shows them: of parakeet-tdt-0.6b-v3 it has three
    /// scripts; other published models know one language.
    init(_ model: FastConformerModel) {
        if let prompts = model.configuration.prompts {
            // Some languages are listed a second time without the hyphen, as `enGB`.
            self = .prompted(prompts.ids.filter { $0.key != Self.automatic && $0.key.prefix { $0 != "-" }.count <= 3 })
            return
        }
        let scripts = Scripts(model.tokenizer)
        if scripts.hasKana {
            self = .one("ja")
        } else {
            self = scripts.hasCyrillic && scripts.hasGreek ? .silent(Self.european) : .one("en")
        }
    }

    private static let automatic = "auto"

    /// The languages of parakeet-tdt-0.6b-v3, as its model card lists them.
    private static let european = [
        "bg", "hr", "cs", "da", "nl", "en", "et", "fi", "fr", "de", "el", "hu", "it", "lv", "lt", "mt", "pl", "pt",
        "ro", "ru", "sk", "sl", "es", "sv", "uk",
    ]

    var codes: [String] {
        switch self {
        case .one(let code): [code]
        case .silent(let codes): codes
        case .prompted(let prompts): Set(prompts.keys.map(Self.code)).sorted()
        }
    }

    /// The language that is reported before anything has been heard.
    ///
    /// - Parameter key: The code of the model's prompt, if there was one.
    func detection(_ key: String?) -> LanguageDetection {
        switch self {
        case .one(let code): LanguageDetection(language: code, probability: 1)
        case .silent: Self.undetermined
        case .prompted: key.map { LanguageDetection(language: Self.code($0), probability: 1) } ?? Self.undetermined
        }
    }

    /// The language that the model named most often; nil if it named none.
    static func detection(_ tags: [String: Int]) -> LanguageDetection? {
        let total = tags.values.reduce(0, +)
        guard let best = tags.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else { return nil }
        return LanguageDetection(language: code(best.key), probability: Double(best.value) / Double(total))
    }

    private static let undetermined = LanguageDetection(language: LanguageDetection.undetermined, probability: 0)

    /// The code of a tag such as `de-DE`, or of a language that only this model knows.
    private static func code(_ tag: String) -> String {
        Languages.code(for: tag) ?? LanguageCodes.subtags(tag).first ?? tag
    }

    // MARK: Requests

    /// The code of the model's prompt for a language given as a code, a tag or a name; nil if it has no prompts, or
    /// detects the language.
    ///
    /// - Throws: ``StenoError``: `unknownLanguage`, or `invalidOption` for a language that the model knows but cannot be
    ///   told.
    func prompt(for language: String?) throws -> String? {
        guard let language else { return nil }
        let spellings = [language, Languages.code(for: language)].compactMap { $0 }
        let isKnown = spellings.contains { LanguageCodes.code(for: $0, among: codes) != nil }
        switch self {
        case .one where isKnown: return nil
        case .silent where isKnown:
            throw StenoError(
                .invalidOption,
                "This model detects the language itself and cannot be set to \(Self.quoted(language)). Leave "
                    + "the language out.")
        case .prompted(let prompts):
            if let key = spellings.compactMap({ Self.key(for: $0, among: prompts) }).first { return key }
        case .one, .silent: break
        }
        throw unknown(language)
    }

    /// The code of a prompt: of the language itself, or else the first of its regions.
    private static func key(for language: String, among prompts: [String: Int]) -> String? {
        if let key = LanguageCodes.code(for: language, among: prompts.keys) { return key }
        guard let primary = LanguageCodes.subtags(language).first else { return nil }
        return prompts.filter { LanguageCodes.subtags($0.key).first == primary }
            .min { ($0.value, $0.key) < ($1.value, $1.key) }?.key
    }

    private func unknown(_ language: String) -> StenoError {
        let known = codes.count == 1 ? Languages.name(of: codes[0]) ?? codes[0] : codes.joined(separator: ", ")
        return StenoError(
            .unknownLanguage,
            "This model does not know the language \(Self.quoted(language)), only \(known). Choose another model or "
                + "language.")
    }

    private static func quoted(_ language: String) -> String { "\"\(language.prefix(40))\"" }
}

private struct Scripts {
    private(set) var hasKana = false
    private(set) var hasCyrillic = false
    private(set) var hasGreek = false

    init(_ tokenizer: FastConformerTokenizer) {
        for piece in tokenizer.pieces {
            for scalar in piece.text.unicodeScalars {
                switch scalar.value {
                case 0x370..<0x400: hasGreek = true
                case 0x400..<0x530: hasCyrillic = true
                case 0x3041..<0x3100: hasKana = true
                default: break
                }
            }
        }
    }
}
