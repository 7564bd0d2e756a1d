import Foundation

/// How strongly each token attends to each encoder position, averaged over the alignment heads.
///
/// For each head in turn: softmax over the positions, normalisation of each position's weights over the tokens, and a
/// median filter along time; the result is the mean over the heads (openai-whisper's `timing.py`). Only one head's
/// scores are in memory at a time.
package final class AlignmentMatrix {
    /// Tokens, from the first of the prompt to the end of text.
    package let rows: Int
    /// Encoder positions.
    package let columns: Int
    /// [rows, columns]: the sum over the heads so far.
    package private(set) var values: [Float]

    /// The neighbours of a value on either side in its median.
    private static let reach = 3
    private let heads: Set<AlignmentHead>
    private let scores: ScratchBuffer
    /// [columns] each.
    private let columnMeans: ScratchBuffer
    private let columnScales: ScratchBuffer
    /// A row between its mirrored ends: [reach + columns + reach].
    private let mirrored: ScratchBuffer
    private let scoreStride: Int

    package init(rows: Int, columns: Int, positions: Int, heads: [AlignmentHead]) throws {
        (self.rows, self.columns) = (rows, columns)
        self.heads = Set(heads)
        scoreStride = positions
        values = Array(repeating: 0, count: rows * columns)
        scores = try ScratchBuffer(count: rows * positions)
        columnMeans = try ScratchBuffer(count: columns)
        columnScales = try ScratchBuffer(count: columns)
        mirrored = try ScratchBuffer(count: columns + 2 * Self.reach)
    }

    /// Adds a decoder layer's cross-attention.
    ///
    /// - Parameters:
    ///   - queries: [rows, heads · head width].
    ///   - memory: The keys and values that the queries attend to.
    package func observe(layer: Int, heads headCount: Int, queries: Rows, memory: AttentionMemory) {
        for head in 0..<headCount where heads.contains(AlignmentHead(layer: layer, head: head)) {
            memory.scores(head: head, of: queries, rows: rows, into: Rows(scores.pointer, stride: scoreStride))
            for row in 0..<rows { softmax(row) }
            addHead()
        }
    }

    /// - Parameter weights: A row's weights, after the softmax: one for each of the columns, or more.
    package func add(weights: (_ row: Int) -> ArraySlice<Float>) {
        for row in 0..<rows {
            let line = weights(row)
            precondition(line.count >= columns, "a row has a weight for every column")
            line.withUnsafeBufferPointer { line in
                guard let base = line.baseAddress else { return }
                (scores.pointer + row * scoreStride).update(from: base, count: columns)
            }
        }
        addHead()
    }

    /// Adds the head whose weights are in `scores`.
    private func addHead() {
        normalize()
        values.withUnsafeMutableBufferPointer { values in
            guard let base = values.baseAddress else { return }
            for row in 0..<rows { addFiltered(row, to: base + row * columns) }
        }
    }

    /// The mean over the heads of rows `range`, as [row][column].
    package func mean(rows range: Range<Int>) -> ArraySlice<Float> {
        let scale = 1 / Float(max(heads.count, 1))
        for index in range.lowerBound * columns..<range.upperBound * columns { values[index] *= scale }
        return values[range.lowerBound * columns..<range.upperBound * columns]
    }

    private func softmax(_ row: Int) {
        let line = scores.pointer + row * scoreStride
        let total = Reductions.logSumExp(line, count: columns)
        for column in 0..<columns { line[column] = expf(line[column] - total) }
    }

    /// Normalises every column to mean 0 and variance 1 over the tokens; a position that no token attends to becomes 0.
    ///
    /// Row by row, in the order of memory; a column's sums are the same as in a loop over its rows.
    private func normalize() {
        let (mean, scale) = (columnMeans.pointer, columnScales.pointer)
        mean.update(repeating: 0, count: columns)
        scale.update(repeating: 0, count: columns)
        for row in 0..<rows {
            let line = scores.pointer + row * scoreStride
            for column in 0..<columns { mean[column] += line[column] }
        }
        for column in 0..<columns { mean[column] /= Float(rows) }
        for row in 0..<rows {
            let line = scores.pointer + row * scoreStride
            for column in 0..<columns {
                let difference = line[column] - mean[column]
                scale[column] += difference * difference
            }
        }
        for column in 0..<columns {
            let squares = scale[column]
            scale[column] = squares > 0 ? 1 / (squares / Float(rows)).squareRoot() : 0
        }
        for row in 0..<rows {
            let line = scores.pointer + row * scoreStride
            for column in 0..<columns { line[column] = (line[column] - mean[column]) * scale[column] }
        }
    }

    /// Adds the medians of each value and its three neighbours on both sides, mirrored at the ends; a row of three
    /// values or fewer is added unchanged.
    private func addFiltered(_ row: Int, to sum: UnsafeMutablePointer<Float>) {
        let line = scores.pointer + row * scoreStride
        let reach = Self.reach
        guard columns > reach else {
            for column in 0..<columns { sum[column] += line[column] }
            return
        }
        let mirrored = mirrored.pointer
        (mirrored + reach).update(from: line, count: columns)
        for distance in 1...reach {
            mirrored[reach - distance] = line[distance]
            mirrored[reach + columns - 1 + distance] = line[columns - 1 - distance]
        }
        for column in 0..<columns { sum[column] += Self.median(mirrored + column) }
    }

    /// The median of seven values.
    ///
    /// A branchless sorting network (Devillard, Fast median search, 1998), which the compiler vectorises.
    @inline(__always) private static func median(_ x: UnsafePointer<Float>) -> Float {
        var (a, b, c, d, e, f, g) = (x[0], x[1], x[2], x[3], x[4], x[5], x[6])
        sort(&a, &f)
        sort(&a, &d)
        sort(&b, &g)
        sort(&c, &e)
        sort(&a, &b)
        sort(&d, &f)
        sort(&c, &g)
        sort(&c, &d)
        sort(&d, &g)
        sort(&e, &f)
        sort(&b, &e)
        sort(&b, &d)
        sort(&d, &e)
        return d
    }

    @inline(__always) private static func sort(_ low: inout Float, _ high: inout Float) {
        (low, high) = (min(low, high), max(low, high))
    }
}

package struct AlignmentHead: Sendable, Hashable {
    package var layer: Int
    package var head: Int

    package init(layer: Int, head: Int) { (self.layer, self.head) = (layer, head) }
}

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
