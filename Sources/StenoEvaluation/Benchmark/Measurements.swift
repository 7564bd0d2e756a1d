/// One figure, read several times.
@_spi(Benchmarks) public struct Measurements: Sendable, Hashable {
    /// What was read, in the order it was.
    public private(set) var values: [Double]

    /// Creates measurements.
    public init(_ values: [Double] = []) { self.values = values }

    /// Takes another reading.
    public mutating func append(_ value: Double) { values.append(value) }

    /// The middle one, or the mean of the two in the middle: it does not mind a slow moment of the machine.
    public var median: Double {
        let sorted = values.sorted()
        guard let last = sorted.indices.last else { return .nan }
        return (sorted[last / 2] + sorted[(last + 1) / 2]) / 2
    }

    /// The smallest.
    public var least: Double { values.min() ?? .nan }

    /// The largest.
    public var most: Double { values.max() ?? .nan }
}
