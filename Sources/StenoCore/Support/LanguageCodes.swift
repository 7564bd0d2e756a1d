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
