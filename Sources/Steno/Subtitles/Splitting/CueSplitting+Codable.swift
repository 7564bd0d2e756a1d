extension CueSplitting: Codable {
    private enum CodingKeys: String, CodingKey {
        case lineWidth, lineCount, readingSpeed, minDuration, maxDuration, minGap
    }

    /// Decodes options; what is missing has its default.
    public init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func read<Value: Decodable>(_ key: CodingKeys, _ value: inout Value) throws {
            if let found = try container.decodeIfPresent(Value.self, forKey: key) { value = found }
        }
        func readOptional<Value: Decodable>(_ key: CodingKeys, _ value: inout Value?) throws {
            if container.contains(key) { value = try container.decodeIfPresent(Value.self, forKey: key) }
        }
        try readOptional(.lineWidth, &lineWidth)
        try read(.lineCount, &lineCount)
        try readOptional(.readingSpeed, &readingSpeed)
        try read(.minDuration, &minDuration)
        try read(.maxDuration, &maxDuration)
        try read(.minGap, &minGap)
    }

    /// Encodes all options.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(lineWidth, forKey: .lineWidth)
        try container.encode(lineCount, forKey: .lineCount)
        try container.encode(readingSpeed, forKey: .readingSpeed)
        try container.encode(minDuration, forKey: .minDuration)
        try container.encode(maxDuration, forKey: .maxDuration)
        try container.encode(minGap, forKey: .minGap)
    }
}
