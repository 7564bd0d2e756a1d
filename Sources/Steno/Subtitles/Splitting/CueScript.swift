import StenoCore

/// The script of a text, as far as it matters for line breaks.
///
/// It is determined from the text instead of the language, because a translation has the language of the speech.
enum CueScript: Hashable {
    case alphabet, chinese, japanese, korean

    /// Counts letters: a text is East Asian when half of them are.
    init(of texts: some Sequence<String>) {
        var tally = Tally()
        for text in texts { tally.add(text) }
        self = tally.script
    }

    /// Counts the letters of each script in a growing text.
    struct Tally: Sendable {
        private var han = 0, kana = 0, hangul = 0, others = 0

        mutating func add(_ text: String) {
            for scalar in text.unicodeScalars where scalar.properties.isAlphabetic {
                switch scalar.value {
                case UnspacedScript.kana: kana += 1
                case UnspacedScript.hangul: hangul += 1
                case _ where scalar.properties.isIdeographic: han += 1
                default: others += 1
                }
            }
        }

        /// The script of the text so far.
        var script: CueScript {
            if han + kana + hangul <= others { return .alphabet }
            if hangul > han + kana { return .korean }
            // Japanese is almost never written only in ideographs, and Chinese never with kana.
            return kana * 10 > han ? .japanese : .chinese
        }
    }

    /// The columns of one counted character.
    var columns: Int { self == .alphabet ? 1 : 2 }

    /// The usual maximum of characters in a line (Netflix's guides).
    var lineWidth: Int {
        switch self {
        case .alphabet: 42
        case .chinese, .korean: 16
        case .japanese: 13
        }
    }

    /// The characters that can be read per second.
    var readingSpeed: Double {
        switch self {
        case .alphabet: 17
        case .chinese: 9
        case .japanese: 7
        case .korean: 12
        }
    }
}
