import Steno

/// Whisper's languages.
public enum Constants {
    /// The codes of the languages, by their English names in lower case.
    public static let languages = Dictionary(
        Language.all.map { ($0.name.lowercased(), $0.code) }, uniquingKeysWith: { first, _ in first })
    /// The codes of the languages.
    public static let languageCodes = Set(languages.values)
}
