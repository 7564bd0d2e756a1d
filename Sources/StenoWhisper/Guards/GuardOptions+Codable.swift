import StenoVoice

extension GuardOptions: Codable {
    private enum CodingKeys: String, CodingKey {
        case repetition, silence, promptRepetition, detector, speechProbability, mostLettersPerSecond,
            mostRepeatedLettersPerSecond, repeats, repeatedWords, promptRepetitionWords
    }

    /// Decodes options; what is missing has its default.
    public init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func read<Value: Decodable>(_ key: CodingKeys, _ value: inout Value) throws {
            if let found = try container.decodeIfPresent(Value.self, forKey: key) { value = found }
        }
        try read(.repetition, &repetition)
        try read(.silence, &silence)
        try read(.promptRepetition, &promptRepetition)
        try read(.detector, &detector)
        try read(.speechProbability, &speechProbability)
        try read(.mostLettersPerSecond, &mostLettersPerSecond)
        try read(.mostRepeatedLettersPerSecond, &mostRepeatedLettersPerSecond)
        try read(.repeats, &repeats)
        try read(.repeatedWords, &repeatedWords)
        try read(.promptRepetitionWords, &promptRepetitionWords)
    }

    /// Encodes all options.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(repetition, forKey: .repetition)
        try container.encode(silence, forKey: .silence)
        try container.encode(promptRepetition, forKey: .promptRepetition)
        try container.encode(detector, forKey: .detector)
        try container.encode(speechProbability, forKey: .speechProbability)
        try container.encode(mostLettersPerSecond, forKey: .mostLettersPerSecond)
        try container.encode(mostRepeatedLettersPerSecond, forKey: .mostRepeatedLettersPerSecond)
        try container.encode(repeats, forKey: .repeats)
        try container.encode(repeatedWords, forKey: .repeatedWords)
        try container.encode(promptRepetitionWords, forKey: .promptRepetitionWords)
    }
}
