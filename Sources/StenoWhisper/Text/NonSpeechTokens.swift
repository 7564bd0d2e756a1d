import StenoCore

/// The tokens that write what nobody says: brackets around stage directions, speaker tags, notes of music.
///
/// Whisper learned them from subtitles. Keeping them from being chosen keeps the text to what was spoken; ordinary
/// punctuation stays. The choice of symbols is openai-whisper's, so that the same tokens are suppressed.
enum NonSpeechTokens {
    private static let symbols =
        "\"#()*+/:;<=>@[\\]^_`{|}~「」『』".unicodeScalars.map(String.init)
        + [
            "<<", ">>", "<<<", ">>>", "--", "---", "-(", "-[", "('", "(\"", "((", "))", "(((", ")))", "[[", "]]", "{{",
            "}}", "♪♪", "♪♪♪",
        ]

    /// Signs of music, which may take several tokens.
    ///
    /// Their first token is shared with other signs of U+2640 to U+267F only, so it may go as a whole.
    private static let music = "♩♪♫♬♭♮♯".unicodeScalars.map(String.init)

    /// The ids in ascending order.
    static func find(encode: (String) -> [Int]) -> [Int] {
        // A hyphen or an apostrophe belongs between letters, but not at the start of a word.
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
