import Testing

@testable import StenoUI

/// Letters are half as wide as their size, lines 1.2 times as high; text breaks at spaces.
private func measure(_ text: String, _ size: Double, _ lineWidth: Double?) -> (width: Double, height: Double) {
    var rows = 1, width = 0.0, longest = 0.0
    for word in text.split(separator: " ") {
        let length = Double(word.count) * size / 2
        if width > 0, let lineWidth, width + size / 2 + length > lineWidth {
            rows += 1
            width = 0
        }
        width += (width > 0 ? size / 2 : 0) + length
        longest = max(longest, width)
    }
    return (longest, Double(rows) * size * 1.2)
}

struct LetterFitTests {
    private func fits(_ text: String, _ size: Double, _ width: Double, _ height: Double) -> Bool {
        text.split(separator: " ").allSatisfy { measure(String($0), size, nil).width <= width }
            && measure(text, size, width).height <= height
    }

    @Test(arguments: ["Hi", "Two teas and a coffee, please", "Incomprehensibilities are rare", "a b c d e f g h i j"])
    func theNextSizeWouldNotFit(_ text: String) {
        let fit = LetterFit(width: 600, height: 400, sizes: 16...400)
        let size = fit.size(of: text, measure: measure)
        #expect(fits(text, size, 600, 400))
        #expect(size == 400 || !fits(text, size + 1, 600, 400))
    }

    @Test func noWordIsBroken() {
        let fit = LetterFit(width: 200, height: 4000, sizes: 16...400)
        #expect(fit.size(of: "a extraordinarily", measure: measure) == 26, "15 letters of 13 points")
    }

    @Test func scriptsWithoutSpacesBreakBetweenCharacters() {
        let fit = LetterFit(width: 200, height: 400, sizes: 16...400)
        /// Square characters, as many in a row as fit.
        func square(_ text: String, _ size: Double, _ lineWidth: Double?) -> (width: Double, height: Double) {
            let inRow = lineWidth.map { max(1, Int($0 / size)) } ?? text.count
            let rows = (text.count + inRow - 1) / max(1, inRow)
            return (Double(min(inRow, text.count)) * size, Double(rows) * size)
        }
        #expect(fit.size(of: "今日はいい天気です", measure: square) == 80, "five rows of two")
        #expect(fit.size(of: "Incomprehensible", measure: square) == 16, "a word is not broken")
    }

    @Test func textThatNeverFitsIsSmallest() {
        let fit = LetterFit(width: 10, height: 10, sizes: 16...400)
        #expect(fit.size(of: "Hello", measure: measure) == 16)
        #expect(LetterFit(width: 900, height: 900, sizes: 16...400).size(of: "", measure: measure) == 400)
    }

    @Test func aLongTextIsMeasuredAFewTimes() {
        var count = 0
        let fit = LetterFit(width: 600, height: 400, sizes: 16...400)
        _ = fit.size(of: String(repeating: "words and ", count: 200)) {
            count += 1
            return measure($0, $1, $2)
        }
        #expect(count <= 4 * 10)
    }
}
