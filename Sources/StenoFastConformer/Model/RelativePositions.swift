import Foundation
import StenoCompute
import StenoCore

/// The encodings of distances between frames, for the attention of every layer.
///
/// They depend on the weights only, so all transcriptions share them: for distances of up to 40 seconds they are
/// computed once and kept, about 40 MB for a model of 110 M weights.
final class RelativePositions: @unchecked Sendable {
    // Sendable: `kept` is only accessed while `lock` is held.

    /// The largest distance whose encodings are kept.
    private static let keptReach = 512
    private static let productRows = 256

    /// The projection of each layer, without a bias.
    private let projections: [Linear]
    private let width: Int
    /// The angle between two neighbouring distances, of each pair of a sine and a cosine.
    private let angles: [Double]
    private let lock = NSLock()
    private var kept: [RelativeAttention.Encodings] = []

    init(projections: [Linear], width: Int) {
        (self.projections, self.width) = (projections, width)
        angles = (0..<width / 2).map { pow(10_000, -2 * Double($0) / Double(width)) }
    }

    /// A layer's encodings of all distances up to `reach`.
    ///
    /// - Throws: `outOfMemory`, or what `checkCancellation` throws.
    func encodings(
        layer: Int, reach: Int, in context: ComputeContext, checkCancellation: () throws -> Void
    ) throws -> RelativeAttention.Encodings {
        guard reach <= Self.keptReach else {
            return try compute([projections[layer]], reach: reach, context, checkCancellation)[0]
        }
        return try lock.withLock {
            let known = kept.first.map { -$0.first } ?? -1
            if known < reach {
                // Utterances differ in length: doubling limits how often the encodings are computed again.
                let size = max(reach, min(2 * known, Self.keptReach))
                kept = try compute(projections, reach: size, context, checkCancellation)
            }
            return kept[layer]
        }
    }

    private func compute(
        _ projections: [Linear], reach: Int, _ context: ComputeContext, _ checkCancellation: () throws -> Void
    ) throws -> [RelativeAttention.Encodings] {
        let count = 2 * reach + 1
        let block = min(Self.productRows, count)
        let waves = try ScratchBuffer(count: block * width), projected = try ScratchBuffer(count: block * width)
        let matrices = try projections.map { _ in try PackedMatrix(outputs: count, inputs: width, precision: .float32) }
        if let first = projections.first { try context.reserve(first, rows: block) }
        for start in stride(from: 0, to: count, by: block) {
            let rows = min(block, count - start)
            writeWaves(from: start - reach, rows: rows, to: waves.pointer)
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

    /// Distances that follow from one another by rotations.
    private static let rotations = 32

    /// Sines and cosines of the distance from a key to its query, for consecutive distances of keys from queries.
    ///
    /// As in Vaswani et al. 2017. Rotations start at fixed distances, so that a distance has the same bits in any table.
    private func writeWaves(from first: Int, rows: Int, to values: UnsafeMutablePointer<Float>) {
        let lowest = first - (first % Self.rotations + Self.rotations) % Self.rotations
        for (pair, angle) in angles.enumerated() {
            let (stepSine, stepCosine) = (sin(-angle), cos(-angle))
            for start in stride(from: lowest, to: first + rows, by: Self.rotations) {
                var sine = sin(Double(-start) * angle), cosine = cos(Double(-start) * angle)
                for distance in start..<min(start + Self.rotations, first + rows) {
                    if distance >= first {
                        let row = values + (distance - first) * width
                        row[2 * pair] = Float(sine)
                        row[2 * pair + 1] = Float(cosine)
                    }
                    (sine, cosine) = (sine * stepCosine + cosine * stepSine, cosine * stepCosine - sine * stepSine)
                }
            }
        }
    }
}
