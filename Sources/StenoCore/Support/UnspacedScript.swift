/// Scripts that write no spaces between words, so that a line may end at nearly every character.
package enum UnspacedScript {
    package static let kana: ClosedRange<UInt32> = 0x3041...0x30FF
    /// Syllables of Korean, which does write spaces.
    package static let hangul: ClosedRange<UInt32> = 0xAC00...0xD7A3
    /// Thai, the first of them in Unicode; the scripts before it separate words with spaces.
    package static let first: UInt32 = 0x0E00

    private static let southEastAsian: [ClosedRange<UInt32>] = [
        first...0x0EFF,  // Thai, Lao
        0x1000...0x109F,  // Myanmar
        0x1780...0x17FF,  // Khmer
    ]
    private static let eastAsian: [ClosedRange<UInt32>] = [
        0x2E80...0x30FF,  // radicals, CJK punctuation, kana
        0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF,  // small katakana, ideographs
        0xFF00...0xFF9F,  // full-width punctuation and letters, half-width katakana
        0x20000...0x3FFFF,
    ]

    /// Whether a character belongs to one of them, punctuation included.
    package static func contains(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= first
            && (southEastAsian.contains { $0.contains(scalar.value) }
                || eastAsian.contains { $0.contains(scalar.value) })
    }

    /// Whether a character belongs to one of them, without the punctuation of East Asia.
    package static func containsLetter(_ scalar: Unicode.Scalar) -> Bool {
        isSyllable(scalar) || southEastAsian.contains { $0.contains(scalar.value) }
    }

    /// Whether it is kana or an ideograph, each of which is a syllable or more.
    package static func isSyllable(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isIdeographic || kana.contains(scalar.value)
    }
}
