extension SubtitleOptions: Codable {
    private enum CodingKeys: String, CodingKey {
        case maxLineWidth, maxLineCount, maxWordsPerLine, highlight, splitting
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
        try readOptional(.maxLineWidth, &maxLineWidth)
        try readOptional(.maxLineCount, &maxLineCount)
        try readOptional(.maxWordsPerLine, &maxWordsPerLine)
        try read(.highlight, &highlight)
        try readOptional(.splitting, &splitting)
    }

    /// Encodes all options.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(maxLineWidth, forKey: .maxLineWidth)
        try container.encode(maxLineCount, forKey: .maxLineCount)
        try container.encode(maxWordsPerLine, forKey: .maxWordsPerLine)
        try container.encode(highlight, forKey: .highlight)
        try container.encode(splitting, forKey: .splitting)
    }
}
