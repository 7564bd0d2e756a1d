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
        ("pl", "Polish"), ("ca", "Catalan"), ("nl", "Dutch"), ("ar", "Arabic"), ("sv", "Swedish"), ("it", "Italian"),
        ("id", "Indonesian"), ("hi", "Hindi"), ("fi", "Finnish"), ("vi", "Vietnamese"), ("he", "Hebrew"),
        ("uk", "Ukrainian"), ("el", "Greek"), ("ms", "Malay"), ("cs", "Czech"), ("ro", "Romanian"), ("da", "Danish"),
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

/// Language codes as BCP 47 tags, and which of them mean the same language.
package enum LanguageCodes {
    /// The code of a language among those that a model or a platform knows, such as `en` for `en-US`; nil if there is
    /// none.
    ///
    /// The tag is shortened from its end until it is one of the codes (RFC 4647, section 3.4). Another code for the
    /// same language matches too (`no` for `nb`, `tl` for `fil`, `jw` for `jv`). Case does not matter, nor does the
    /// choice of hyphen or underscore; the code is returned as the list spells it.
    package static func code(for tag: String, among codes: some Sequence<String>) -> String? {
        let known = Dictionary(codes.map { (subtags($0), $0) }) { first, _ in first }
        var tag = subtags(tag)
        while let primary = tag.first {
            if let code = known[tag] { return code }
            for other in equivalents[primary] ?? [] {
                if let code = known[[other] + tag.dropFirst()] { return code }
            }
            tag.removeLast()
        }
        return nil
    }

    /// The model's code for a language; nil to detect it.
    ///
    /// A language without a code is passed to the model unchanged: it also understands names and has the better error.
    package static func language(_ language: String?, among codes: some Sequence<String>) -> String? {
        language.map { code(for: $0, among: codes) ?? $0 }
    }

    /// The parts of a tag in lower case; the first is the language.
    package static func subtags(_ tag: String) -> [String] {
        tag.lowercased().split { $0 == "-" || $0 == "_" }.map(String.init)
    }

    /// The tag with a withdrawn code replaced by the current one, such as `jv` for Whisper's `jw`; nil for anything but
    /// a tag, such as a name.
    static func current(_ tag: String) -> String? {
        var parts = tag.split { $0 == "-" || $0 == "_" }.map(String.init)
        // A language has two or three letters; BCP 47 reserves longer codes, but there are none.
        guard let primary = parts.first?.lowercased(), (2...3).contains(primary.count),
            primary.allSatisfy({ $0.isASCII && $0.isLetter })
        else { return nil }
        parts[0] = successors[primary] ?? primary
        return parts.joined(separator: "-")
    }

    /// Codes that ISO 639 has withdrawn, and their replacements.
    private static let successors = ["jw": "jv", "iw": "he", "in": "id", "ji": "yi", "mo": "ro"]

    /// Different codes that models and platforms use for one language, or for languages that recognisers do not tell
    /// apart: withdrawn codes, and macrolanguages with their main member.
    private static let equivalents: [String: [String]] = {
        let groups =
            successors.map { [$0, $1] } + [
                ["no", "nb"], ["tl", "fil"], ["zh", "cmn"], ["ar", "arb"], ["fa", "pes"], ["ms", "zsm"], ["sw", "swh"],
                ["et", "ekk"], ["lv", "lvs"],
            ]
        var others: [String: [String]] = [:]
        for group in groups {
            for code in group { others[code] = group.filter { $0 != code } }
        }
        return others
    }()
}

/// The result of language detection.
public struct LanguageDetection: Sendable, Hashable, Codable {
    /// The code of the most probable language.
    public var language: String
    /// Its probability, from 0 to 1; 1 when the language was given, or the model knows only English.
    public var probability: Double
    /// The probability of every language the model supports, from 0 to 1, by code; empty if nothing was detected.
    public var probabilities: [String: Double]

    package init(language: String, probability: Double, probabilities: [String: Double] = [:]) {
        (self.language, self.probability, self.probabilities) = (language, probability, probabilities)
    }

    /// The code for audio whose language cannot be detected: `und` (ISO 639-2, undetermined).
    package static let undetermined = "und"

    package static func best(_ probabilities: [Double]) -> Int {
        probabilities.indices.max { probabilities[$0] < probabilities[$1] } ?? 0
    }

    /// The most probable of the model's languages.
    package init(_ probabilities: [Double], codes: [String]) {
        let best = Self.best(probabilities)
        self.init(
            language: codes[best], probability: probabilities[best],
            probabilities: Dictionary(zip(codes, probabilities), uniquingKeysWith: { first, _ in first }))
    }
}
