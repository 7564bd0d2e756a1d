/// Codes of languages as BCP 47 tags, and which of them stand for the same language.
package enum LanguageCodes {
    /// The code of a language among those that a model or a platform knows, such as `en` for `en-US`; nil if it knows
    /// none.
    ///
    /// The tag is shortened from its end until it is one of the codes (RFC 4647, section 3.4). Where there is another code
    /// for the same language (`no` for `nb`, `tl` for `fil`, `jw` for `jv`), that one is found. Upper and lower case,
    /// hyphen and underscore make no difference; the code is returned as it is in the list.
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

    /// The language for a model that knows these codes, nil to detect it; one that is none of them is left to the model,
    /// which understands names too and has the better error.
    package static func language(_ language: String?, among codes: some Sequence<String>) -> String? {
        language.map { code(for: $0, among: codes) ?? $0 }
    }

    /// The parts of a tag in lower case; the first is the language.
    package static func subtags(_ tag: String) -> [String] {
        tag.lowercased().split { $0 == "-" || $0 == "_" }.map(String.init)
    }

    /// The tag with a withdrawn code replaced by the current one, such as `jv` for Whisper's `jw`; nil if it is not a
    /// tag, such as a name.
    static func current(_ tag: String) -> String? {
        var parts = tag.split { $0 == "-" || $0 == "_" }.map(String.init)
        // The language has two or three letters; BCP 47 reserves longer ones, and there are none.
        guard let primary = parts.first?.lowercased(), (2...3).contains(primary.count),
            primary.allSatisfy({ $0.isASCII && $0.isLetter })
        else { return nil }
        parts[0] = successors[primary] ?? primary
        return parts.joined(separator: "-")
    }

    /// Codes that ISO 639 has withdrawn, and those that replace them.
    private static let successors = ["jw": "jv", "iw": "he", "in": "id", "ji": "yi", "mo": "ro"]

    /// Codes of one language, or of languages that recognisers do not tell apart, for which models and platforms use
    /// different codes: withdrawn codes, and macrolanguages with their main member.
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
