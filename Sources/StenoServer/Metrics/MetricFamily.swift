#if Server
    /// A metric: its name, what it means, and how it is counted.
    package struct MetricFamily: Sendable, Hashable {
        package enum Kind: String, Sendable { case counter, gauge, histogram }

        package let name: String
        package let help: String
        package let kind: Kind
        /// The upper bounds of a histogram's buckets, in order.
        package let bounds: [Double]

        package init(_ name: String, _ help: String, _ kind: Kind, bounds: [Double] = []) {
            self.name = name
            self.help = help
            self.kind = kind
            self.bounds = bounds
        }

        package static func == (left: Self, right: Self) -> Bool { left.name == right.name }
        package func hash(into hasher: inout Hasher) { hasher.combine(name) }

        /// Labels as they stand in a line: `{a="b"}`, or nothing.
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
        /// The time of requests.
        package static let requestSeconds = Self(
            "steno_http_request_seconds", "Time from the header of a request until its response begins.", .histogram,
            bounds: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300])
        /// Audio transcribed.
        package static let audioSeconds = Self(
            "steno_audio_seconds_total", "Audio transcribed, in seconds, by kind (file, live).", .counter)
        /// Requests refused because the server was at its limit.
        package static let refused = Self(
            "steno_refused_total", "Requests refused at the limit, by kind (file, live, screen).", .counter)
        /// Requests whose client left before the end.
        package static let abandoned = Self(
            "steno_abandoned_total", "Requests whose client left before the response, by kind (file, live).", .counter)
        package static let liveSessions = Self("steno_live_sessions", "Live sessions now.", .gauge)
        package static let liveLimit = Self(
            "steno_live_sessions_limit", "Live sessions that may run at once.", .gauge)
        package static let runningFiles = Self("steno_files_running", "Files being transcribed now.", .gauge)
        package static let waitingFiles = Self("steno_files_waiting", "Files that wait for their turn.", .gauge)
        package static let connections = Self("steno_connections", "Open connections.", .gauge)
        package static let modelLoaded = Self("steno_model_loaded", "1 for each model that is loaded.", .gauge)
        package static let modelLoads = Self("steno_model_loads_total", "Times that a model was loaded.", .counter)
        /// Models unloaded, by model and reason.
        package static let modelUnloads = Self(
            "steno_model_unloads_total", "Times that a model was unloaded, by reason (idle, memory).", .counter)
    }
#endif
