extension GuardOptions: Codable {
    /// Decodes options; missing ones get their defaults.
    public init(from decoder: any Decoder) throws { self = try Self.fields.read(GuardOptions(), decoder) }

    /// Encodes all options.
    public func encode(to encoder: any Encoder) throws { try Self.fields.write(self, encoder) }

    private static var fields: OptionFields<Self> {
        [
            .init("repetition", \.repetition),
            .init("silence", \.silence),
            .init("promptRepetition", \.promptRepetition),
            .init("detector", \.detector),
            .init("speechProbability", \.speechProbability),
            .init("mostLettersPerSecond", \.mostLettersPerSecond),
            .init("mostRepeatedLettersPerSecond", \.mostRepeatedLettersPerSecond),
            .init("repeats", \.repeats),
            .init("repeatedWords", \.repeatedWords),
            .init("promptRepetitionWords", \.promptRepetitionWords),
        ]
    }
}
