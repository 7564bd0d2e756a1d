extension VoiceActivityOptions: Codable {
    private enum CodingKeys: String, CodingKey {
        case detector, threshold, negativeThreshold, minSpeechMilliseconds, maxSpeechSeconds,
            minSilenceMilliseconds, speechPadMilliseconds
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
        try read(.detector, &detector)
        try read(.threshold, &threshold)
        try readOptional(.negativeThreshold, &negativeThreshold)
        try read(.minSpeechMilliseconds, &minSpeechMilliseconds)
        // JSON has no infinity: no limit is left out.
        try read(.maxSpeechSeconds, &maxSpeechSeconds)
        try read(.minSilenceMilliseconds, &minSilenceMilliseconds)
        try read(.speechPadMilliseconds, &speechPadMilliseconds)
    }

    /// Encodes all options.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(detector, forKey: .detector)
        try container.encode(threshold, forKey: .threshold)
        try container.encode(negativeThreshold, forKey: .negativeThreshold)
        try container.encode(minSpeechMilliseconds, forKey: .minSpeechMilliseconds)
        if maxSpeechSeconds.isFinite { try container.encode(maxSpeechSeconds, forKey: .maxSpeechSeconds) }
        try container.encode(minSilenceMilliseconds, forKey: .minSilenceMilliseconds)
        try container.encode(speechPadMilliseconds, forKey: .speechPadMilliseconds)
    }
}
