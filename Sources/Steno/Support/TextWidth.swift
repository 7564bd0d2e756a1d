package enum TextWidth {
    /// The columns of a text: two for wide East Asian characters and emoji, one for others.
    package static func of(_ text: String) -> Int {
        text.reduce(0) { width, character in
            let isWide = character.unicodeScalars.first.map { scalar in
                wide.contains { $0.contains(scalar.value) } || scalar.properties.isEmojiPresentation
            }
            return width + (isWide == true ? 2 : 1)
        }
    }

    package static func pad(_ text: String, to width: Int) -> String { text + spaces(width - of(text)) }

    package static func padLeft(_ text: String, to width: Int) -> String { spaces(width - of(text)) + text }

    private static func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

    /// The blocks of Unicode's East_Asian_Width W and F, roughly.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
        0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD,
    ]
}
