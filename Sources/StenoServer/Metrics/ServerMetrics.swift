#if Server
    import Foundation

    /// The server's metrics for Prometheus, which never contain text, file names or addresses.
    ///
    /// `@unchecked Sendable`: the values are accessed under the lock.
    package final class ServerMetrics: @unchecked Sendable {
        private let lock = NSLock()
        private var values: [MetricFamily: [String: MetricValue]] = [:]

        package init() {}

        /// Adds to a counter.
        package func add(_ family: MetricFamily, _ amount: Double = 1, labels: KeyValuePairs<String, String> = [:]) {
            let key = MetricFamily.text(of: labels)
            lock.withLock { values[family, default: [:]][key, default: MetricValue()].add(amount) }
        }

        /// Adds an observation to a histogram.
        package func observe(_ family: MetricFamily, _ value: Double, labels: KeyValuePairs<String, String> = [:]) {
            let key = MetricFamily.text(of: labels)
            lock.withLock {
                values[family, default: [:]][key, default: MetricValue()].observe(value, bounds: family.bounds)
            }
        }

        /// All values in Prometheus' text format, version 0.0.4.
        package func text(adding more: [MetricReading] = []) -> String {
            let values = lock.withLock { self.values }
            var lines: [MetricFamily: [String]] = [:]
            for (family, series) in values {
                for (labels, value) in series.sorted(by: { $0.key < $1.key }) {
                    lines[family, default: []] += value.lines(family, labels)
                }
            }
            for reading in more {
                lines[reading.family, default: []].append(
                    MetricFamily.line(
                        reading.family.name, MetricFamily.text(of: reading.labels), reading.value))
            }
            let families = lines.sorted { $0.key.name < $1.key.name }
            var text = ""
            for (family, lines) in families {
                text += "# HELP \(family.name) \(family.help)\n# TYPE \(family.name) \(family.kind.rawValue)\n"
                for line in lines { text += line + "\n" }
            }
            return text
        }
    }

    /// A value at the time of asking.
    package struct MetricReading: Sendable {
        package var family: MetricFamily
        package var labels: KeyValuePairs<String, String>
        package var value: Double

        package init(_ family: MetricFamily, _ value: Double, labels: KeyValuePairs<String, String> = [:]) {
            self.family = family
            self.value = value
            self.labels = labels
        }
    }

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
