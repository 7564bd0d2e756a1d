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

/// Decides whether a line may end between two texts without a space between them.
///
/// It may only next to scripts without spaces, by the rules of Japanese and Chinese typesetting (kinsoku, JIS X 4051):
/// no closing mark or small kana begins a line, no opening mark ends one, and a word in katakana stays whole.
enum LineEnd {
    private static let neverFirst = Set("、。，．・：；？！」』）】〕〉》〗〙ーぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ々ゝゞヽヾ…‥’”)]}?!,.:;%％°")
    private static let neverLast = Set("「『（【〔〈《〖〘‘“([{$¥￥€£#＃")
    private static let katakana: ClosedRange<UInt32> = 0x30A0...0x30FF

    static func isAllowed(between left: String, _ right: String) -> Bool {
        guard let last = left.last, let first = right.first, isUnspaced(left, right) else { return false }
        guard !neverFirst.contains(first), !neverLast.contains(last) else { return false }
        return !isExtending(right) && !(isKatakana(last) && isKatakana(first))
    }

    /// Whether one of the two sides is in a script without spaces.
    static func isUnspaced(_ left: String, _ right: String) -> Bool {
        [left.unicodeScalars.last, right.unicodeScalars.first].contains { $0.map(UnspacedScript.contains) == true }
    }

    private static func isExtending(_ text: String) -> Bool {
        text.unicodeScalars.first?.properties.isGraphemeExtend == true
    }

    private static func isKatakana(_ character: Character) -> Bool {
        character.unicodeScalars.first.map { katakana.contains($0.value) } == true
    }
}
