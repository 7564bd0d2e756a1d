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

    @Test(arguments: [("a extraordinarily", 200.0, 4000.0, 26.0), ("Hello", 10, 10, 16), ("", 900, 900, 400)])
    func noWordIsBrokenAndTextThatNeverFitsIsSmallest(_ text: String, width: Double, height: Double, size: Double) {
        // 15 letters of 13 points fill a line of 200.
        #expect(LetterFit(width: width, height: height, sizes: 16...400).size(of: text, measure: measure) == size)
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

struct WordRowsTests {
    /// Rows of words that can be broken anywhere, into lines of their height.
    private func rows(_ sizes: [WordRows.Size], _ lineWidth: Double, gaps: [Bool]? = nil) -> WordRows {
        WordRows(gaps: gaps ?? sizes.map { _ in true }, lineWidth: lineWidth, spacing: (5, 2)) { index, width in
            let size = sizes[index]
            guard let width, width < size.width else { return size }
            return (width, (size.width / width).rounded(.up) * size.height)
        }
    }

    @Test func wordsFillRowsAndBreakAtTheWidth() {
        let rows = rows([(40, 10), (40, 12), (40, 10)], 100)
        #expect(rows.places.map(\.x) == [0, 45, 0])
        #expect(rows.places.map(\.y) == [0, 0, 14])
        #expect(rows.width == 85 && rows.height == 24, "the space after a row does not count")
    }

    @Test func aWordWiderThanTheLineIsBrokenAndNotCutOff() {
        let rows = rows([(40, 10), (250, 10), (10, 10)], 100)
        #expect(rows.places.map(\.x) == [0, 0, 0])
        #expect(rows.places.map(\.y) == [0, 12, 44], "three lines of ten")
        #expect(rows.places.map(\.width) == [nil, 100, nil])
        #expect(rows.width == 100 && rows.height == 54)
    }

    @Test func theReportedWidthGivesTheSameRows() {
        let sizes: [WordRows.Size] = (0..<200).map { (10.3 + Double($0 * 37 % 50), 10) }
        for width in [60.0, 123.4, 333.3] {
            let first = rows(sizes, width)
            #expect(first.width <= width)
            #expect(rows(sizes, first.width).places == first.places)
        }
    }

    @Test func scriptsWithoutSpacesHaveNoneAndWithoutALimitThereIsOneRow() {
        let close = rows([(20, 10), (20, 10), (20, 10)], 50, gaps: [false, false, false])
        #expect(close.places.map(\.x) == [0, 20, 0] && close.width == 40)
        let one = rows([(40, 10), (40, 10)], .infinity)
        #expect(one.places.map(\.y) == [0, 0] && one.width == 85)
        #expect(rows([], 10).height == 0)
    }
}
