/// A language that models support.
public struct Language: Sendable, Hashable {
    /// The code in requests and transcripts: ISO 639-1 (with Whisper's `jw` for Javanese), otherwise three letters.
    public let code: String
    /// The English name.
    public let name: String

    /// All languages that any model supports; `Transcriber.information` lists those of one model.
    public static var all: [Language] { Languages.all }
}

/// The languages that models support, with their names and aliases.
package enum Languages {
    /// All languages, common ones before rare ones: of two that are equally close to a misspelling, the first is
    /// suggested first.
    package static let all: [Language] = names.map { Language(code: $0.0, name: $0.1) }

    private static let names: [(String, String)] = [
        ("en", "English"), ("zh", "Chinese"), ("de", "German"), ("es", "Spanish"), ("ru", "Russian"),
        ("ko", "Korean"), ("fr", "French"), ("ja", "Japanese"), ("pt", "Portuguese"), ("tr", "Turkish"),
        ("pl", "Polish"), ("ca", "Catalan"), ("nl", "Dutch"), ("ar", "Arabic"), ("sv", "Swedish"),
        ("it", "Italian"),
        ("id", "Indonesian"), ("hi", "Hindi"), ("fi", "Finnish"), ("vi", "Vietnamese"), ("he", "Hebrew"),
        ("uk", "Ukrainian"), ("el", "Greek"), ("ms", "Malay"), ("cs", "Czech"), ("ro", "Romanian"),
        ("da", "Danish"),
        ("hu", "Hungarian"), ("ta", "Tamil"), ("no", "Norwegian"), ("th", "Thai"), ("ur", "Urdu"),
        ("hr", "Croatian"), ("bg", "Bulgarian"), ("lt", "Lithuanian"), ("la", "Latin"), ("mi", "Maori"),
        ("ml", "Malayalam"), ("cy", "Welsh"), ("sk", "Slovak"), ("te", "Telugu"), ("fa", "Persian"),
        ("lv", "Latvian"), ("bn", "Bengali"), ("sr", "Serbian"), ("az", "Azerbaijani"), ("sl", "Slovenian"),
        ("kn", "Kannada"), ("et", "Estonian"), ("mk", "Macedonian"), ("br", "Breton"), ("eu", "Basque"),
        ("is", "Icelandic"), ("hy", "Armenian"), ("ne", "Nepali"), ("mn", "Mongolian"), ("bs", "Bosnian"),
        ("kk", "Kazakh"), ("sq", "Albanian"), ("sw", "Swahili"), ("gl", "Galician"), ("mr", "Marathi"),
        ("pa", "Punjabi"), ("si", "Sinhala"), ("km", "Khmer"), ("sn", "Shona"), ("yo", "Yoruba"), ("so", "Somali"),
        ("af", "Afrikaans"), ("oc", "Occitan"), ("ka", "Georgian"), ("be", "Belarusian"), ("tg", "Tajik"),
        ("sd", "Sindhi"), ("gu", "Gujarati"), ("am", "Amharic"), ("yi", "Yiddish"), ("lo", "Lao"), ("uz", "Uzbek"),
        ("fo", "Faroese"), ("ht", "Haitian Creole"), ("ps", "Pashto"), ("tk", "Turkmen"), ("nn", "Nynorsk"),
        ("mt", "Maltese"), ("sa", "Sanskrit"), ("lb", "Luxembourgish"), ("my", "Myanmar"), ("bo", "Tibetan"),
        ("tl", "Tagalog"), ("mg", "Malagasy"), ("as", "Assamese"), ("tt", "Tatar"), ("haw", "Hawaiian"),
        ("ln", "Lingala"), ("ha", "Hausa"), ("ba", "Bashkir"), ("jw", "Javanese"), ("su", "Sundanese"),
        ("yue", "Cantonese"),
    ]

    /// Other names of some languages, in lower case, as openai-whisper accepts them.
    private static let aliases = [
        "burmese": "my", "valencian": "ca", "flemish": "nl", "haitian": "ht", "letzeburgesch": "lb", "pushto": "ps",
        "panjabi": "pa", "moldavian": "ro", "moldovan": "ro", "sinhalese": "si", "castilian": "es", "mandarin": "zh",
    ]

    private static let nameOfCode = Dictionary(all.map { ($0.code, $0.name) }) { first, _ in first }

    /// The code for every lower-case spelling: the code itself, the name, the aliases.
    private static let codeOfSpelling: [String: String] = {
        var codes = aliases
        for language in all {
            codes[language.code] = language.code
            codes[language.name.lowercased()] = language.code
        }
        return codes
    }()

    /// The English name of a language code; nil if no model supports the language.
    package static func name(of code: String) -> String? { nameOfCode[code] }

    /// The code of a language given as a code, a BCP 47 tag such as `pt-BR` or `nb_NO`, an English name or an alias, in
    /// any case; nil if it is none of them.
    package static func code(for language: String) -> String? {
        codeOfSpelling[language.lowercased()] ?? LanguageCodes.code(for: language, among: all.lazy.map(\.code))
    }

    /// Suggestions for a misspelt language: at most three, the closest first.
    package static func suggestions(for language: String) -> [Language] {
        let wanted = language.lowercased()
        var distances: [String: Int] = [:]
        for (spelling, code) in codeOfSpelling {
            guard let distance = closeness(of: wanted, to: spelling) else { continue }
            distances[code] = min(distance, distances[code] ?? .max)
        }
        return all.enumerated()
            .compactMap { index, language in distances[language.code].map { ($0, index, language) } }
            .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
            .prefix(3).map { $0.2 }
    }

    /// The distance of a spelling from the input; nil if it is too large for a suggestion.
    private static func closeness(of wanted: String, to spelling: String) -> Int? {
        // A locale such as pt-BR, or the start of a name.
        if wanted.hasPrefix(spelling + "-") || wanted.hasPrefix(spelling + "_") { return 0 }
        if wanted.count > 2, spelling.hasPrefix(wanted) { return 1 }
        // One typing error per three letters; codes are so short that any other code would be close.
        guard spelling.count > 3 else { return nil }
        let distance = EditDistance.distances(of: Array(wanted), from: Array(spelling)).last ?? 0
        return distance <= spelling.count / 3 ? distance + 1 : nil
    }
}
