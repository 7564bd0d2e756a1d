extension TranscriptionOptions: Codable {
    /// Decodes options; missing ones get their defaults.
    public init(from decoder: any Decoder) throws { self = try Self.fields.read(TranscriptionOptions(), decoder) }

    /// Encodes the options common to all models; the options of a family can be encoded separately.
    public func encode(to encoder: any Encoder) throws { try Self.fields.write(self, encoder) }

    private static var fields: OptionFields<Self> {
        [
            .init("language", \.language),
            .init("task", \.task),
            .init("wordTimestamps", \.wordTimestamps),
            .init("vocabulary", \.vocabulary),
            .init("prompt", \.prompt),
            .clips(\.clips),
            .init("batchSize", \.batchSize),
            .init("speakers", \.speakers),
        ]
    }
}
