#if Server
    /// The value of a counter or a histogram for one set of labels.
    struct MetricValue: Sendable {
        private var sum = 0.0
        private var count = 0
        /// How many observations were no larger than each bound.
        private var buckets: [Int] = []

        mutating func add(_ amount: Double) { sum += amount }

        mutating func observe(_ value: Double, bounds: [Double]) {
            if buckets.isEmpty { buckets = Array(repeating: 0, count: bounds.count) }
            for (index, bound) in bounds.enumerated() where value <= bound { buckets[index] += 1 }
            sum += value
            count += 1
        }

        /// The lines of this series.
        func lines(_ family: MetricFamily, _ labels: String) -> [String] {
            guard family.kind == .histogram else { return [MetricFamily.line(family.name, labels, sum)] }
            let inner = labels.dropFirst().dropLast()
            let prefix = inner.isEmpty ? "{" : "{\(inner),"
            return zip(family.bounds + [.infinity], buckets + [count]).map { bound, count in
                "\(family.name)_bucket\(prefix)le=\"\(MetricFamily.number(bound))\"} \(count)"
            } + [
                MetricFamily.line(family.name + "_sum", labels, sum), "\(family.name)_count\(labels) \(count)",
            ]
        }
    }
#endif
