import StenoTestSupport
import Testing

@testable import StenoCompute

struct DynamicTimeWarpingTests {
    /// Where the best path enters each row, found by trying every monotonic path.
    private static func best(_ values: [Float], rows: Int, columns: Int) -> [Int] {
        var best: (total: Float, starts: [Int]) = (-.infinity, [])
        func walk(row: Int, column: Int, total: Float, starts: [Int]) {
            let total = total + values[row * columns + column]
            if row == rows - 1, column == columns - 1 {
                if total > best.total { best = (total, starts) }
                return
            }
            if row + 1 < rows { walk(row: row + 1, column: column, total: total, starts: starts + [column]) }
            if column + 1 < columns { walk(row: row, column: column + 1, total: total, starts: starts) }
            if row + 1 < rows, column + 1 < columns {
                walk(row: row + 1, column: column + 1, total: total, starts: starts + [column + 1])
            }
        }
        walk(row: 0, column: 0, total: 0, starts: [0])
        return best.starts
    }

    private static func starts(_ values: [Float], rows: Int, columns: Int) -> [Int] {
        DynamicTimeWarping.starts(values[...], rows: rows, columns: columns)
    }

    @Test(arguments: 1...5, 1...6) func thePathIsTheBestOfAll(rows: Int, columns: Int) {
        for seed in 0..<20 {
            var random = SplitMix64(seed: UInt64(seed), name: "\(rows) × \(columns)")
            let values = random.uniform(count: rows * columns, centre: 0, span: 1)
            #expect(
                Self.starts(values, rows: rows, columns: columns)
                    == Self.best(values, rows: rows, columns: columns), "seed \(seed)")
        }
    }

    /// A slice keeps its array's indices.
    @Test func valuesMayBeASlice() {
        let values: [Float] = [9, 9, 9, 2, -1, -1, -1, 1, 1]
        #expect(DynamicTimeWarping.starts(values[3...], rows: 2, columns: 3) == [0, 1])
    }

    /// Among equal costs the step along the columns is taken, in openai-whisper as in CTranslate2.
    @Test func tiesFavourColumns() {
        #expect(Self.starts([0, 0, 0, 0, 0, 0], rows: 2, columns: 3) == [0, 0])
        #expect(Self.starts([Float](repeating: 1, count: 9), rows: 3, columns: 3) == [0, 0, 0])
        // Diagonal and row cost the same and the column more: it is taken all the same.
        #expect(Self.starts([1, 0, -1, 0], rows: 2, columns: 2) == [0, 0])
        // A hair less than a tie, and the diagonal wins.
        #expect(Self.starts([1, -0.001, -1, 0], rows: 2, columns: 2) == [0, 1])
    }

    @Test func edges() {
        #expect(Self.starts([], rows: 3, columns: 0) == [0, 0, 0])
        #expect(Self.starts([5], rows: 1, columns: 1) == [0])
        #expect(Self.starts([1, 2, 3], rows: 3, columns: 1) == [0, 0, 0])
        #expect(Self.starts([1, 2, 3], rows: 1, columns: 3) == [0])
    }
}
