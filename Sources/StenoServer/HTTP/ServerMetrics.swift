#if Server
    import StenoCore

    /// The server's metrics for Prometheus, which never contain text, file names or addresses.
    package final class ServerMetrics: Sendable {
        private let values = Monitor<[MetricFamily: [String: MetricValue]]>([:])

        package init() {}

        package func add(_ family: MetricFamily, _ amount: Double = 1, labels: KeyValuePairs<String, String> = [:]) {
            let key = MetricFamily.text(of: labels)
            values.update { $0[family, default: [:]][key, default: MetricValue()].add(amount) }
        }

        /// Adds an observation to a histogram.
        package func observe(_ family: MetricFamily, _ value: Double, labels: KeyValuePairs<String, String> = [:]) {
            let key = MetricFamily.text(of: labels)
            values.update {
                $0[family, default: [:]][key, default: MetricValue()].observe(value, bounds: family.bounds)
            }
        }

        /// All values in Prometheus' text format, version 0.0.4.
        package func text(adding more: [MetricReading] = []) -> String {
            let values = values.current
            var lines: [MetricFamily: [String]] = [:]
            for (family, series) in values {
                for (labels, value) in series.sorted(by: { $0.key < $1.key }) {
                    lines[family, default: []] += value.lines(family, labels)
                }
            }
            for reading in more {
                lines[reading.family, default: []].append(
                    MetricFamily.line(reading.family.name, MetricFamily.text(of: reading.labels), reading.value))
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

    /// A value read when the metrics are requested.
    package struct MetricReading: Sendable {
        package var family: MetricFamily
        package var labels: KeyValuePairs<String, String>
        package var value: Double

        package init(_ family: MetricFamily, _ value: Double, labels: KeyValuePairs<String, String> = [:]) {
            (self.family, self.value, self.labels) = (family, value, labels)
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

        func lines(_ family: MetricFamily, _ labels: String) -> [String] {
            guard family.kind == .histogram else { return [MetricFamily.line(family.name, labels, sum)] }
            let inner = labels.dropFirst().dropLast()
            let prefix = inner.isEmpty ? "{" : "{\(inner),"
            return zip(family.bounds + [.infinity], buckets + [count]).map { bound, count in
                "\(family.name)_bucket\(prefix)le=\"\(MetricFamily.number(bound))\"} \(count)"
            } + [MetricFamily.line(family.name + "_sum", labels, sum), "\(family.name)_count\(labels) \(count)"]
        }
    }

    /// A metric: its name, what it means, and how it is counted.
    package struct MetricFamily: Sendable, Hashable {
        package enum Kind: String, Sendable { case counter, gauge, histogram }

        package let name: String
        package let help: String
        package let kind: Kind
        /// The upper bounds of a histogram's buckets, in order.
        package let bounds: [Double]

        package init(_ name: String, _ help: String, _ kind: Kind, bounds: [Double] = []) {
            (self.name, self.help, self.kind, self.bounds) = (name, help, kind, bounds)
        }

        package static func == (left: Self, right: Self) -> Bool { left.name == right.name }
        package func hash(into hasher: inout Hasher) { hasher.combine(name) }

        /// Labels as written in a line: `{a="b"}`, or nothing.
        static func text(of labels: KeyValuePairs<String, String>) -> String {
            labels.isEmpty ? "" : "{" + labels.map { "\($0)=\"\(escaped($1))\"" }.joined(separator: ",") + "}"
        }

        static func line(_ name: String, _ labels: String, _ value: Double) -> String {
            "\(name)\(labels) \(number(value))"
        }

        static func number(_ value: Double) -> String {
            value.isFinite
                ? value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
                : value.isNaN ? "NaN" : value > 0 ? "+Inf" : "-Inf"
        }

        private static func escaped(_ text: String) -> String {
            text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
        }
    }

    // MARK: The metrics of the server

    extension MetricFamily {
        /// Requests, by method, route and status.
        package static let requests = Self("steno_http_requests_total", "Requests answered.", .counter)
        package static let requestSeconds = Self(
            "steno_http_request_seconds", "Time from the header of a request until its response begins.", .histogram,
            bounds: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300])
        package static let audioSeconds = Self(
            "steno_audio_seconds_total", "Audio transcribed, in seconds, by kind (file, live).", .counter)
        package static let refused = Self(
            "steno_refused_total", "Requests refused at the limit, by kind (file, live, screen).", .counter)
        package static let abandoned = Self(
            "steno_abandoned_total", "Requests whose client left before the response, by kind (file).", .counter)
        package static let liveSessions = Self("steno_live_sessions", "Live sessions now.", .gauge)
        package static let liveLimit = Self("steno_live_sessions_limit", "Live sessions that may run at once.", .gauge)
        package static let runningFiles = Self("steno_files_running", "Files being transcribed now.", .gauge)
        package static let waitingFiles = Self("steno_files_waiting", "Files that wait for their turn.", .gauge)
        package static let connections = Self("steno_connections", "Open connections.", .gauge)
        package static let modelLoaded = Self("steno_model_loaded", "1 for each model that is loaded.", .gauge)
        package static let modelLoads = Self("steno_model_loads_total", "Times that a model was loaded.", .counter)
        package static let modelUnloads = Self(
            "steno_model_unloads_total", "Times that a model was unloaded, by reason (idle, memory).", .counter)
    }
#endif
