#if Server
    /// How the server detects the end of a turn.
    package struct TurnDetection: Sendable, Hashable {
        /// The kinds of the protocol; both end a turn after a silence.
        package enum Kind: String, Sendable { case server = "server_vad", semantic = "semantic_vad" }

        package var kind = Kind.server
        /// The probability of speech at which a turn begins, 0 to 1.
        package var threshold = 0.5
        /// The audio before the detected start that belongs to the turn, in milliseconds.
        package var prefixPadding = 300
        /// The silence that ends a turn, in milliseconds.
        package var silence = 500
        /// For `semantic_vad`: low, medium, high, auto.
        package var eagerness = "auto"

        package init() {}

        /// Applies a client's object; fields that it lacks keep their values.
        ///
        /// - Throws: ``ServerError`` that names the field.
        mutating func update(_ value: JSONValue, _ field: String) throws(ServerError) {
            if let type = value["type"] {
                guard let kind = type.string.flatMap(Kind.init) else {
                    throw .invalidValue(
                        "The type of turn detection must be server_vad or semantic_vad; null turns it off.",
                        field + ".type")
                }
                if kind != self.kind {
                    self = TurnDetection()
                    self.kind = kind
                    if kind == .semantic, let silence = Self.silences[eagerness] { self.silence = silence }
                }
            }
            if let given = try Self.number(value, "threshold", 0...1, field) { threshold = given }
            if let given = try Self.number(value, "prefix_padding_ms", 0...5000, field) { prefixPadding = Int(given) }
            if let given = try Self.number(value, "silence_duration_ms", 100...5000, field) { silence = Int(given) }
            if let given = value["eagerness"], !given.isNull {
                guard let name = given.string, let silence = Self.silences[name] else {
                    throw .invalidValue("The eagerness must be low, medium, high or auto.", field + ".eagerness")
                }
                eagerness = name
                if kind == .semantic { self.silence = silence }
            }
        }

        /// Milliseconds of silence for each eagerness, because there is no turn model yet.
        private static let silences = ["low": 1000, "medium": 600, "auto": 600, "high": 350]

        private static func number(
            _ value: JSONValue, _ name: String, _ range: ClosedRange<Double>, _ field: String
        ) throws(ServerError) -> Double? {
            guard let given = value[name], !given.isNull else { return nil }
            guard let number = given.number, range.contains(number) else {
                throw .invalidValue(
                    "\(name) must be a number from \(JSONValue.number(range.lowerBound).text) to "
                        + "\(JSONValue.number(range.upperBound).text).", "\(field).\(name)")
            }
            return number
        }

        var json: JSONValue {
            switch kind {
            case .semantic: ["type": "semantic_vad", "eagerness": .string(eagerness)]
            case .server:
                [
                    "type": "server_vad", "threshold": .number(threshold),
                    "prefix_padding_ms": .number(Double(prefixPadding)),
                    "silence_duration_ms": .number(Double(silence)),
                ]
            }
        }
    }
#endif
