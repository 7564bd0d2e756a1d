#if Server
    import Foundation

    /// What the server counts, for Prometheus; never a text, a file name or an address.
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
#endif
