extension TranscriptionRequest: Codable {
    private enum CodingKeys: String, CodingKey {
        case language, task, wordTimestamps, vocabulary, prompt, clips, batchSize
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
        try readOptional(.language, &language)
        try read(.task, &task)
        try read(.wordTimestamps, &wordTimestamps)
        try readOptional(.vocabulary, &vocabulary)
        try readOptional(.prompt, &prompt)
        if let found = try container.decodeIfPresent([Clip].self, forKey: .clips) {
            clips = try found.map { try $0.range(decoder) }
        }
        try read(.batchSize, &batchSize)
    }

    /// Encodes the neutral options, not ``familyOptions``, which can be encoded by themselves.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(language, forKey: .language)
        try container.encode(task, forKey: .task)
        try container.encode(wordTimestamps, forKey: .wordTimestamps)
        try container.encode(vocabulary, forKey: .vocabulary)
        try container.encode(prompt, forKey: .prompt)
        try container.encode(clips.map(Clip.init), forKey: .clips)
        try container.encode(batchSize, forKey: .batchSize)
    }
}

/// A part of the audio as JSON has it: numbers of seconds, and no end where it extends to the end of the audio.
private struct Clip: Codable {
    var start: Double
    var end: Double?

    init(_ range: Range<Double>) {
        start = range.lowerBound
        end = range.upperBound.isFinite ? range.upperBound : nil
    }

    func range(_ decoder: any Decoder) throws -> Range<Double> {
        let end = end ?? .infinity
        guard start <= end else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a clip ends before it starts"))
        }
        return start..<end
    }
}
