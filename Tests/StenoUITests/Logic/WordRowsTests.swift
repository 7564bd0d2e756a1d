import Testing

@testable import StenoUI

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

    @Test func scriptsWithoutSpacesHaveNone() {
        let rows = rows([(20, 10), (20, 10), (20, 10)], 50, gaps: [false, false, false])
        #expect(rows.places.map(\.x) == [0, 20, 0] && rows.width == 40)
    }

    @Test func withoutALimitThereIsOneRow() {
        let one = rows([(40, 10), (40, 10)], .infinity)
        #expect(one.places.map(\.y) == [0, 0] && one.width == 85)
        #expect(rows([], 10).height == 0)
    }
}
