extension TranscriptionOptions: Codable {
    /// Decodes options; what is missing has its default.
    public init(from decoder: any Decoder) throws { self = try Self.fields.read(TranscriptionOptions(), decoder) }

    /// Encodes the options of every model, not those of a family, which can be encoded by themselves.
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
