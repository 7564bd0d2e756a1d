import StenoCore

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
