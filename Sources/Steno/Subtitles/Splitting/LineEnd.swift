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
