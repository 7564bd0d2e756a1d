import Foundation
import StenoCompute
import StenoCore

/// How strongly the decoder attended to each encoder position when it chose each token, by layer and head.
package final class CrossAttentionWeights {
    package let positions: Int
    package let layers: Int
    package let heads: Int
    /// The number of tokens: those of the prefix, those of the text, and the end of text if it was reached.
    package private(set) var rows = 0

    /// [rows, layers, heads, positions].
    private var values: [Float] = []
    private var stride: Int { layers * heads * positions }

    init(positions: Int, layers: Int, heads: Int) {
        (self.positions, self.layers, self.heads) = (positions, layers, heads)
    }

    /// The weights of one head over the positions, which add up to 1.
    package func row(_ row: Int, layer: Int, head: Int) -> ArraySlice<Float> {
        let first = row * stride + (layer * heads + head) * positions
        return values[first..<first + positions]
    }

    package func mean(_ row: Int) -> [Float] {
        var mean = [Float](repeating: 0, count: positions)
        values.withUnsafeBufferPointer { values in
            for head in 0..<layers * heads {
                let first = row * stride + head * positions
                for position in 0..<positions { mean[position] += values[first + position] }
            }
        }
        return mean.map { $0 / Float(layers * heads) }
    }

    /// Makes room for more tokens, whose weights the layers record.
    func append(_ count: Int) {
        values.append(contentsOf: [Float](repeating: 0, count: count * stride))
        rows += count
    }

    /// Forgets all but the first tokens.
    func truncate(to count: Int) {
        guard count < rows else { return }
        values.removeLast((rows - count) * stride)
        rows = count
    }

    /// Records a layer's weights of the last `count` tokens.
    func record(_ memory: AttentionMemory, queries: Rows, rows count: Int, layer: Int) {
        let (first, stride) = ((rows - count) * stride, stride)
        values.withUnsafeMutableBufferPointer { values in
            guard let base = values.baseAddress else { return }
            for head in 0..<heads {
                let weights = Rows(base + first + (layer * heads + head) * positions, stride: stride)
                memory.scores(head: head, of: queries, rows: count, into: weights)
                for row in 0..<count { softmax(weights.from(row).pointer) }
            }
        }
    }

    private func softmax(_ scores: UnsafeMutablePointer<Float>) {
        let total = Reductions.logSumExp(scores, count: positions)
        for position in 0..<positions { scores[position] = expf(scores[position] - total) }
    }
}
