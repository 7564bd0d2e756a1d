import Testing

@testable import StenoUI

struct WordRowsTests {
    @Test func wordsFillRowsAndBreakAtTheWidth() {
        let rows = WordRows([(40, 10), (40, 12), (40, 10), (200, 10), (10, 10)], lineWidth: 100, spacing: (5, 2))
        #expect(rows.places.map(\.x) == [0, 45, 0, 0, 0])
        #expect(rows.places.map(\.y) == [0, 0, 14, 26, 38])
        #expect(rows.width == 200 && rows.height == 48)
    }

    @Test func withoutALimitThereIsOneRow() {
        let rows = WordRows([(40, 10), (40, 10)], lineWidth: .infinity, spacing: (5, 2))
        #expect(rows.places.map(\.y) == [0, 0] && rows.width == 85)
        #expect(WordRows([], lineWidth: 10, spacing: (5, 2)).height == 0)
    }
}
