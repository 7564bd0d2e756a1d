/// Finds the monotonic path through a matrix of tokens and positions that has the largest sum (dynamic time warping,
/// Sakoe and Chiba 1978).
package enum DynamicTimeWarping {
    private enum Step: UInt8 {
        case both, row, column
    }

    /// Returns the position at which each row's part of the path begins.
    ///
    /// - Parameters:
    ///   - values: [rows, columns], larger where a token and a position belong together.
    ///   - rows: At least 1.
    package static func starts(_ values: ArraySlice<Float>, rows: Int, columns: Int) -> [Int] {
        guard columns > 0 else { return Array(repeating: 0, count: rows) }
        let steps = trace(values, rows: rows, columns: columns)
        var starts = Array(repeating: 0, count: rows)
        var row = rows, column = columns
        while row > 0 || column > 0 {
            if row > 0 { starts[row - 1] = max(column - 1, 0) }
            switch row == 0 ? .column : column == 0 ? .row : steps[(row - 1) * columns + column - 1] {
            case .both:
                row -= 1
                column -= 1
            case .row: row -= 1
            case .column: column -= 1
            }
        }
        return starts
    }

    /// Finds the best predecessor of every cell.
    ///
    /// Ties are resolved in favour of the column, as in the reference implementation.
    private static func trace(_ values: ArraySlice<Float>, rows: Int, columns: Int) -> [Step] {
        var steps = [Step](repeating: .column, count: rows * columns)
        // One column of costs at a time: [rows + 1], the first for "before the first token".
        var before = [Float](repeating: .infinity, count: rows + 1)
        var current = before
        before[0] = 0
        for column in 0..<columns {
            current[0] = .infinity
            for row in 0..<rows {
                let diagonal = before[row], up = current[row], left = before[row + 1]
                var cost = left
                if diagonal < up, diagonal < left {
                    cost = diagonal
                    steps[row * columns + column] = .both
                } else if up < diagonal, up < left {
                    cost = up
                    steps[row * columns + column] = .row
                }
                current[row + 1] = cost - values[values.startIndex + row * columns + column]
            }
            swap(&before, &current)
        }
        return steps
    }
}
