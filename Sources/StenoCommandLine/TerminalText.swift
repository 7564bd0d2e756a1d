/// Makes untrusted text safe for a terminal, which interprets control characters as commands.
///
/// Directional overrides, which display letters in another order, count as control characters.
package enum TerminalText {
    /// The text on one line, with spaces instead of line breaks and tabs, and U+FFFD instead of every other control
    /// character (C0, DEL and C1).
    package static func line(_ text: some StringProtocol) -> String {
        replacing(text) { breaks.contains($0) ? " " : "\u{FFFD}" }
    }

    /// The text with its line breaks and tabs, but no other control characters.
    package static func lines(_ text: some StringProtocol) -> String {
        replacing(text) { ["\n", "\t"].contains($0) ? $0 : "\u{FFFD}" }
    }

    /// A message of the program: one line after the program's name, with control characters replaced.
    package static func message(_ sentence: String) -> String { "steno: \(line(sentence))\n" }

    /// Whether a text has no control characters other than the allowed ones.
    package static func isPlain(_ text: String, allowing some: String) -> Bool {
        text.unicodeScalars.allSatisfy { !isControl($0) || some.unicodeScalars.contains($0) }
    }

    private static let breaks: Set<Unicode.Scalar> = ["\n", "\r", "\t", "\u{0B}", "\u{0C}", "\u{85}"]

    private static func replacing(
        _ text: some StringProtocol, _ replacement: (Unicode.Scalar) -> Unicode.Scalar
    ) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { result.append(isControl(scalar) ? replacement(scalar) : scalar) }
        return String(result)
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control || scalar == "\u{202D}" || scalar == "\u{202E}"
    }
}
