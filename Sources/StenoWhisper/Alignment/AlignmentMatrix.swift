import StenoCore

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// How strongly each token attends to each encoder position, averaged over the alignment heads.
///
/// For each head in turn: softmax over the positions, normalisation of each position's weights over the tokens, and a
/// median filter along time; the result is the mean over the heads (openai-whisper's `timing.py`). Only one head's
/// scores are in memory at a time.
final class AlignmentMatrix: CrossAttentionObserver {
    /// Tokens, from the first of the prompt to the end of text.
    let rows: Int
    /// Positions of 20 ms.
    let columns: Int
    /// [rows, columns]: the sum over the heads so far.
    private(set) var values: [Float]

    private static let filterWidth = 7
    private let heads: Set<AlignmentHead>
    private let scores: ScratchBuffer
    private let filtered: ScratchBuffer
    private let scoreStride: Int

    /// Allocates the matrix for `rows` tokens over the first `columns` of `positions` encoder positions.
    init(rows: Int, columns: Int, positions: Int, heads: [AlignmentHead]) throws {
        self.rows = rows
        self.columns = columns
        self.heads = Set(heads)
        scoreStride = positions
        values = Array(repeating: 0, count: rows * columns)
        scores = try ScratchBuffer(count: rows * positions)
        filtered = try ScratchBuffer(count: columns)
    }

    /// Adds one decoder layer's attention weights, if the layer has alignment heads.
    func observe(layer: Int, heads headCount: Int, queries: Rows, memory: AttentionMemory) {
        for head in 0..<headCount where heads.contains(AlignmentHead(layer: layer, head: head)) {
            memory.scores(head: head, of: queries, rows: rows, into: Rows(scores.pointer, stride: scoreStride))
            for row in 0..<rows { softmax(row) }
            for column in 0..<columns { normalize(column) }
            for row in 0..<rows { addFiltered(row) }
        }
    }

    /// The mean over the heads of rows `range`, as [row][column].
    func mean(rows range: Range<Int>) -> ArraySlice<Float> {
        let scale = 1 / Float(max(heads.count, 1))
        for index in range.lowerBound * columns..<range.upperBound * columns { values[index] *= scale }
        return values[range.lowerBound * columns..<range.upperBound * columns]
    }

    private func softmax(_ row: Int) {
        let line = scores.pointer + row * scoreStride
        let total = Reductions.logSumExp(line, count: columns)
        for column in 0..<columns { line[column] = expf(line[column] - total) }
    }

    /// Normalises a column to mean 0 and variance 1 over the tokens; a position that no token attends to becomes 0.
    private func normalize(_ column: Int) {
        let line = scores.pointer + column
        var sum: Float = 0
        for row in 0..<rows { sum += line[row * scoreStride] }
        let mean = sum / Float(rows)
        var squares: Float = 0
        for row in 0..<rows {
            let difference = line[row * scoreStride] - mean
            squares += difference * difference
        }
        let scale = squares > 0 ? 1 / (squares / Float(rows)).squareRoot() : 0
        for row in 0..<rows { line[row * scoreStride] = (line[row * scoreStride] - mean) * scale }
    }

    private func addFiltered(_ row: Int) {
        let line = scores.pointer + row * scoreStride
        medianFilter(line)
        for column in 0..<columns { values[row * columns + column] += filtered.pointer[column] }
    }

    /// Replaces each value by the median of its seven neighbours, mirrored at the ends; three values or fewer are left
    /// unchanged.
    private func medianFilter(_ line: UnsafePointer<Float>) {
        let reach = Self.filterWidth / 2
        guard columns > reach else { return filtered.pointer.update(from: line, count: columns) }
        withUnsafeTemporaryAllocation(of: Float.self, capacity: Self.filterWidth) { window in
            for column in 0..<columns {
                for offset in -reach...reach {
                    var index = abs(column + offset)
                    if index >= columns { index = 2 * columns - index - 2 }
                    insert(line[index], into: window, count: offset + reach)
                }
                filtered.pointer[column] = window[reach]
            }
        }
    }

    /// Keeps the first `count` + 1 values of `window` sorted.
    private func insert(_ value: Float, into window: UnsafeMutableBufferPointer<Float>, count: Int) {
        var index = count
        while index > 0, window[index - 1] > value {
            window[index] = window[index - 1]
            index -= 1
        }
        window[index] = value
    }
}
