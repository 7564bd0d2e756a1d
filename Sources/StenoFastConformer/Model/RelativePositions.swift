import Foundation
import StenoCore

/// The encodings of distances between frames, for the attention of every layer.
///
/// They depend on the weights only, so all transcriptions share them: for distances of up to 40 seconds they are
/// computed once and kept, about 40 MB for a model of 110 M weights.
final class RelativePositions: @unchecked Sendable {
    // Sendable: `kept` is only accessed while `lock` is held.

    /// The largest distance whose encodings are kept.
    private static let keptReach = 512
    /// The rows that are computed as one product.
    private static let productRows = 256

    /// The projection of each layer, without a bias.
    private let projections: [Linear]
    private let width: Int
    private let lock = NSLock()
    private var kept: [RelativeAttention.Encodings] = []

    init(projections: [Linear], width: Int) {
        self.projections = projections
        self.width = width
    }

    /// Each layer's encodings of all distances up to `reach`.
    ///
    /// - Throws: `outOfMemory`, or what `checkCancellation` throws.
    func encodings(reach: Int, in context: ComputeContext, checkCancellation: () throws -> Void) throws
        -> [RelativeAttention.Encodings]
    {
        guard reach <= Self.keptReach else { return try compute(reach: reach, context, checkCancellation) }
        return try lock.withLock {
            let known = kept.first.map { -$0.first } ?? -1
            guard known < reach else { return kept }
            // Utterances differ in length: doubling limits how often the encodings are computed again.
            kept = try compute(
                reach: max(reach, min(2 * known, Self.keptReach)), context, checkCancellation)
            return kept
        }
    }

    private func compute(reach: Int, _ context: ComputeContext, _ checkCancellation: () throws -> Void) throws
        -> [RelativeAttention.Encodings]
    {
        let count = 2 * reach + 1
        let block = min(Self.productRows, count)
        let waves = try ScratchBuffer(count: block * width), projected = try ScratchBuffer(count: block * width)
        let matrices = try projections.map { _ in
            try PackedMatrix(outputs: count, inputs: width, precision: .float32)
        }
        if let first = projections.first { try context.reserve(first, rows: block) }
        for start in stride(from: 0, to: count, by: block) {
            let rows = min(block, count - start)
            for row in 0..<rows { writeWaves(distance: start + row - reach, to: waves.pointer + row * width) }
            for (projection, matrix) in zip(projections, matrices) {
                try checkCancellation()
                projection.apply(
                    Rows(waves.pointer, stride: width), rows: rows, into: Rows(projected.pointer, stride: width),
                    in: context)
                _ = matrix.setRows(from: start, count: rows, to: projected.pointer)
            }
        }
        return matrices.map { RelativeAttention.Encodings(matrix: $0, first: -reach) }
    }

    /// Sines and cosines of the distance from a key to its query, at geometrically falling frequencies (Vaswani et al.
    /// 2017).
    private func writeWaves(distance: Int, to row: UnsafeMutablePointer<Float>) {
        for pair in 0..<width / 2 {
            let angle = Double(-distance) * pow(10_000, -2 * Double(pair) / Double(width))
            row[2 * pair] = Float(sin(angle))
            row[2 * pair + 1] = Float(cos(angle))
        }
    }
}
