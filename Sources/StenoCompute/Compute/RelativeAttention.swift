internal import CStenoKernels
import Foundation

/// The biases of attention with relative positions.
///
/// Dai et al. 2019, "Transformer-XL": the score of a query and a key is ((q + u) · k + (q + v) · R) / √headWidth, where R is the encoding of their distance.
package struct RelativeAttention: Sendable {
    /// The encodings of consecutive distances.
    package struct Encodings: Sendable {
        /// [distances, heads · headWidth] in float32; row i is the distance `first` + i of a key from its query.
        package let matrix: PackedMatrix
        package let first: Int

        package init(matrix: PackedMatrix, first: Int) { (self.matrix, self.first) = (matrix, first) }
    }

    /// Queries, and the positions that each may attend to.
    package struct Queries {
        /// [count, heads · headWidth].
        package var rows: Rows
        package var count: Int
        /// The position of the first query among the keys.
        package var position: Int
        /// Query i attends to positions `first[i]` to `end[i] − 1`; nil if each attends to all.
        package var ranges: (first: UnsafePointer<Int32>, end: UnsafePointer<Int32>)?

        package init(
            rows: Rows, count: Int, position: Int,
            ranges: (first: UnsafePointer<Int32>, end: UnsafePointer<Int32>)? = nil
        ) {
            (self.rows, self.count, self.position, self.ranges) = (rows, count, position, ranges)
        }
    }

    private let contentBias: FloatBuffer
    private let positionBias: FloatBuffer

    /// - Parameters:
    ///   - contentBias: u, [heads · headWidth].
    ///   - positionBias: v, [heads · headWidth].
    package init(contentBias: FloatBuffer, positionBias: FloatBuffer) {
        (self.contentBias, self.positionBias) = (contentBias, positionBias)
    }

    /// Computes the attention of each query over a memory in float32.
    ///
    /// - Parameters:
    ///   - encodings: Of all distances in the ranges.
    ///   - out: [count, heads · headWidth]; not the queries.
    package func attend(
        _ queries: Queries, to memory: AttentionMemory, encodings: Encodings, into out: Rows, in context: ComputeContext
    ) {
        var attention = steno_relative_attention()
        attention.memory = memory.handle
        attention.encodings = encodings.matrix.handle
        attention.first_distance = Int32(encodings.first)
        attention.first_query = Int32(queries.position)
        attention.scale = memory.scale
        attention.content_bias = contentBias.pointer
        attention.position_bias = positionBias.pointer
        attention.queries = UnsafePointer(queries.rows.pointer)
        attention.query_stride = Int64(queries.rows.stride)
        attention.rows = Int32(queries.count)
        attention.first = queries.ranges?.first
        attention.end = queries.ranges?.end
        attention.out = out.pointer
        attention.out_stride = Int64(out.stride)
        steno_attend_relative(context.pool.handle, &attention)
    }
}

/// The angles of rotary position embeddings over pairs of neighbouring channels.
///
/// Pair m at position p is rotated by p · base^(−2m / dimension) (Su et al. 2021).
package final class RotaryAngles {
    /// The number of rotated channels of a head, an even number; the others keep their values.
    package let channels: Int
    private let frequencies: [Float]
    /// [positions, 2 · channels], as the kernel expects them.
    private var table: ScratchBuffer?
    private var positions = 0

    /// - Parameter dimension: The number of channels to rotate; if it is odd, one more is rotated with the last, as in
    ///   transformers.
    package init(dimension: Int, base: Float) {
        channels = (dimension + 1) / 2 * 2
        // In float32 as in transformers: at position 1000 the angles' rounding is visible.
        frequencies = (0..<channels / 2).map { 1 / powf(base, Float(2 * $0) / Float(dimension)) }
    }

    /// Computes the angles of the first `count` positions, unless that has been done; throws `outOfMemory`.
    package func reserve(_ count: Int) throws {
        guard count > positions else { return }
        let table = try ScratchBuffer(count: count * 2 * channels)
        for position in 0..<count {
            let row = table.pointer + position * 2 * channels
            for (pair, frequency) in frequencies.enumerated() {
                let angle = Float(position) * frequency
                let (cosine, sine) = (cosf(angle), sinf(angle))
                (row[2 * pair], row[2 * pair + 1]) = (cosine, cosine)
                (row[channels + 2 * pair], row[channels + 2 * pair + 1]) = (-sine, sine)
            }
        }
        self.table = table
        positions = count
    }

    /// The angles from a position on, which must have been reserved.
    func from(_ position: Int) -> UnsafePointer<Float>? {
        table.map { UnsafePointer($0.pointer + position * 2 * channels) }
    }
}
