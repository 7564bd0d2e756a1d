#if Server
    /// Text of others as it may get to a terminal, which takes control characters for commands.
    enum TerminalText {
        /// The text on one line: spaces in place of line breaks and tabs, and U+FFFD in place of every other control
        /// character (C0, DEL and C1).
        static func line(_ text: some StringProtocol) -> String {
            String(
                String.UnicodeScalarView(
                    text.unicodeScalars.lazy.map { scalar in
                        if breaks.contains(scalar) { return " " }
                        return isControl(scalar) ? "\u{FFFD}" : scalar
                    }))
        }

        /// Whether a text has no control characters but some.
        static func isPlain(_ text: String, allowing some: String) -> Bool {
            text.unicodeScalars.allSatisfy { !isControl($0) || some.unicodeScalars.contains($0) }
        }

        private static let breaks: Set<Unicode.Scalar> = ["\n", "\r", "\t", "\u{0B}", "\u{0C}", "\u{85}"]

        private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
            scalar.properties.generalCategory == .control
        }
    }
#endif
