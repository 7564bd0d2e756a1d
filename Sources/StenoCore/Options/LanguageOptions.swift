public import Foundation

/// Options that name the spoken language.
public protocol LanguageOptions {
    /// The spoken language as a code (`en`), a BCP 47 tag (`en-US`, `pt_BR`) or an English name (`English`), in any case;
    /// nil detects it.
    ///
    /// A language that the model does not know throws ``StenoError/Code/unknownLanguage`` before any work.
    var language: String? { get set }
}

extension LanguageOptions {
    /// ``language`` as Foundation's type; nil if the language is detected or given by its English name.
    ///
    /// Setting it sets the tag. Whisper's `jw` and other withdrawn codes are read as their replacements.
    ///
    ///     options.locale = Locale.current.language
    public var locale: Locale.Language? {
        get { language.flatMap(LanguageCodes.current).map { Locale.Language(identifier: $0) } }
        set { language = newValue?.minimalIdentifier }
    }
}
