#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

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

    /// Computes the angles of the first `count` positions, unless that has been done.
    ///
    /// - Throws: `outOfMemory`.
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
