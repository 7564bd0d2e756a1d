/// Repeated measurements of one figure.
@_spi(Benchmarks) public struct Measurements: Sendable, Hashable {
    /// The values, in the order of measurement.
    public private(set) var values: [Double]

    /// Creates measurements.
    public init(_ values: [Double] = []) { self.values = values }

    /// Adds a measurement.
    public mutating func append(_ value: Double) { values.append(value) }

    /// The median, which is robust against slow moments of the machine; NaN without values.
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
