import Testing

@testable import StenoWhisper

struct PreTokenizerTests {
    @Test(arguments: [
        ("it's we'll 'S", ["it", "'s", " we", "'ll", " '", "S"]),
        ("''s", ["''", "s"]),
        (" 's", [" '", "s"]),
        ("'", ["'"]),
        ("'l", ["'", "l"]),
        ("a  b", ["a", " ", " b"]),
        ("a \n b", ["a", " \n", " b"]),
        ("a\tb", ["a", "\t", "b"]),
        ("a\u{A0}\u{A0}b", ["a", "\u{A0}", "\u{A0}", "b"]),
        ("a  ", ["a", "  "]),
        (" ", [" "]),
        ("x1y22", ["x", "1", "y", "22"]),
        ("x² Ⅻ!?", ["x", "²", " Ⅻ", "!?"]),
        ("e\u{301}a", ["e", "\u{301}", "a"]),
        ("", []),
    ])
    func splitsLikeGPT2(text: String, expected: [String]) {
        let bytes = Array(text.utf8)
        var pieces = PreTokenizer(bytes)
        var found: [[UInt8]] = []
        while let piece = pieces.next() { found.append(Array(bytes[piece])) }
        #expect(found == expected.map { Array($0.utf8) })
    }
}
