import Foundation
import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoCore

/// The matrix of tokens and positions, compared with the definition computed in doubles.
struct AlignmentMatrixTests {
    private static let width = 64
    private static let layers = 2

    /// Queries and keys of every layer, and the matrix of what its heads attend to.
    private struct Attention {
        let rows: Int
        let positions: Int
        let heads: Int
        /// [layer][row or position, heads · width].
        let queries: [[Float]]
        let keys: [[Float]]

        init(rows: Int, positions: Int, heads: Int, seed: UInt64) {
            var random = SplitMix64(seed: seed)
            (self.rows, self.positions, self.heads) = (rows, positions, heads)
            let channels = heads * width
            queries = (0..<layers).map { _ in random.uniform(count: rows * channels, centre: 0, span: 1) }
            keys = (0..<layers).map { _ in random.uniform(count: positions * channels, centre: 0.1, span: 1) }
        }

        func observed(_ chosen: [AlignmentHead], columns: Int) throws -> AlignmentMatrix {
            let matrix = try AlignmentMatrix(rows: rows, columns: columns, positions: positions, heads: chosen)
            let stride = heads * width
            let context = ComputeContext(pool: WorkerPool(threads: 1))
            for layer in 0..<layers {
                let memory = try AttentionMemory(
                    heads: heads, headWidth: width, capacity: positions, precision: .float32)
                let stored = try FloatBuffer(keys[layer]), asked = try FloatBuffer(queries[layer])
                memory.set(
                    keys: stored.pointer, values: stored.pointer, stride: stride, positions: positions, in: context)
                withExtendedLifetime(asked) {
                    matrix.observe(layer: layer, heads: heads, queries: asked.rows(stride: stride), memory: memory)
                }
            }
            return matrix
        }

        /// The result of the definition: [row][column].
        func expected(_ chosen: [AlignmentHead], columns: Int) -> [[Double]] {
            var mean = [[Double]](repeating: [Double](repeating: 0, count: columns), count: rows)
            for head in chosen {
                let weights = normalized(softmax(scores(head), columns: columns))
                for row in 0..<rows {
                    for (column, value) in medians(weights[row]).enumerated() {
                        mean[row][column] += value / Double(chosen.count)
                    }
                }
            }
            return mean
        }

        /// The weights of a head: [row][column].
        func weights(_ head: AlignmentHead, columns: Int) -> [[Float]] {
            softmax(scores(head), columns: columns).map { $0.map(Float.init) }
        }

        private func scores(_ head: AlignmentHead) -> [[Double]] {
            let stride = heads * width, first = head.head * width
            return (0..<rows).map { row in
                (0..<positions).map { position in
                    (first..<first + width).reduce(0.0) { sum, channel in
                        sum + Double(queries[head.layer][row * stride + channel])
                            * Double(keys[head.layer][position * stride + channel])
                    } / Double(width).squareRoot()
                }
            }
        }

        private func softmax(_ scores: [[Double]], columns: Int) -> [[Double]] {
            scores.map { row in
                let powers = row.prefix(columns).map { exp($0) }
                return powers.map { $0 / powers.reduce(0, +) }
            }
        }

        /// Every column with mean 0 and variance 1.
        private func normalized(_ weights: [[Double]]) -> [[Double]] {
            var result = weights
            for column in weights[0].indices {
                let values = weights.map { $0[column] }
                let mean = values.reduce(0, +) / Double(rows)
                let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(rows)
                for row in 0..<rows {
                    result[row][column] = variance > 0 ? (values[row] - mean) / variance.squareRoot() : 0
                }
            }
            return result
        }

        /// The median of seven neighbours in a line that is mirrored at its ends.
        private func medians(_ line: [Double]) -> [Double] {
            guard line.count > 3 else { return line }
            let mirrored = line[1...3].reversed() + line + line.dropLast().suffix(3).reversed()
            return line.indices.map { mirrored[$0..<$0 + 7].sorted()[3] }
        }
    }

    private static let all = (0..<layers).flatMap { layer in
        (0..<3).map { AlignmentHead(layer: layer, head: $0) }
    }

    private func expectEqual(_ matrix: AlignmentMatrix, _ expected: [[Double]], range: Range<Int>) {
        let mean = Array(matrix.mean(rows: range))
        let wanted = range.flatMap { expected[$0] }
        #expect(largestDistance(mean, wanted) < 1e-4)
        #expect(wanted.contains { abs($0) > 0.1 })
    }

    @Test(arguments: [[0], [4], [1, 2, 3], [0, 1, 2, 3, 4, 5]], [1, 3, 4, 5, 6, 7, 8, 40])
    func theMeanOverTheHeads(chosen: [Int], columns: Int) throws {
        let attention = Attention(rows: 6, positions: 40, heads: 3, seed: UInt64(columns))
        let heads = chosen.map { Self.all[$0] }
        let expected = attention.expected(heads, columns: columns)
        // One position has all of every token's attention, which says nothing: its column is 0.
        if columns == 1 {
            #expect(try attention.observed(heads, columns: 1).mean(rows: 0..<6).allSatisfy { $0 == 0 })
        } else {
            try expectEqual(attention.observed(heads, columns: columns), expected, range: 0..<6)
            try expectEqual(attention.observed(heads, columns: columns), expected, range: 2..<5)
        }
    }

    /// The normalisation is over all tokens, those of the prompt too; only then are the text's rows taken.
    @Test func rowsOutsideTheRangeCount() throws {
        let attention = Attention(rows: 5, positions: 20, heads: 3, seed: 1)
        let whole = try attention.observed(Self.all, columns: 20).mean(rows: 0..<5)
        #expect(try Array(whole.suffix(40)) == Array(attention.observed(Self.all, columns: 20).mean(rows: 3..<5)))
    }

    /// Of a model that records its weights, instead of the queries and keys.
    @Test func weightsCountLikeTheScoresThatTheyComeFrom() throws {
        let attention = Attention(rows: 5, positions: 12, heads: 3, seed: 4)
        let heads = [Self.all[1], Self.all[3]]
        let matrix = try AlignmentMatrix(rows: 5, columns: 12, positions: 12, heads: heads)
        for head in heads {
            let weights = attention.weights(head, columns: 12)
            matrix.add { weights[$0][...] }
        }
        expectEqual(matrix, attention.expected(heads, columns: 12), range: 0..<5)
    }

    @Test func otherHeadsAreIgnored() throws {
        let attention = Attention(rows: 4, positions: 10, heads: 3, seed: 2)
        let none = try attention.observed([], columns: 10)
        #expect(none.values == [Float](repeating: 0, count: 40))
        #expect(none.mean(rows: 0..<4).allSatisfy { $0 == 0 })
        let one = try attention.observed([Self.all[5]], columns: 10).values
        #expect(try attention.observed([Self.all[5], Self.all[5]], columns: 10).values == one)
        #expect(try attention.observed([Self.all[2]], columns: 10).values != one)
    }
}

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
    @Test func tiesFavourColumns() {
        let values: [Float] = [9, 9, 9, 2, -1, -1, -1, 1, 1]
        #expect(DynamicTimeWarping.starts(values[3...], rows: 2, columns: 3) == [0, 1])
        // Among equal costs the step along the columns is taken, in openai-whisper as in CTranslate2.
        #expect(Self.starts([0, 0, 0, 0, 0, 0], rows: 2, columns: 3) == [0, 0])
        #expect(Self.starts([Float](repeating: 1, count: 9), rows: 3, columns: 3) == [0, 0, 0])
        // Diagonal and row cost the same and the column more: it is taken all the same.
        #expect(Self.starts([1, 0, -1, 0], rows: 2, columns: 2) == [0, 0])
        // A hair less than a tie, and the diagonal wins.
        #expect(Self.starts([1, -0.001, -1, 0], rows: 2, columns: 2) == [0, 1])
        // Edges.
        #expect(Self.starts([], rows: 3, columns: 0) == [0, 0, 0])
        #expect(Self.starts([5], rows: 1, columns: 1) == [0])
        #expect(Self.starts([1, 2, 3], rows: 3, columns: 1) == [0, 0, 0])
        #expect(Self.starts([1, 2, 3], rows: 1, columns: 3) == [0])
    }
}
