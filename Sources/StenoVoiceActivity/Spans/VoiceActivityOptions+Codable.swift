import StenoCore

extension VoiceActivityOptions: Codable {
    /// Decodes options; missing ones get their defaults.
    public init(from decoder: any Decoder) throws { self = try Self.fields.read(VoiceActivityOptions(), decoder) }

    /// Encodes all options.
    public func encode(to encoder: any Encoder) throws { try Self.fields.write(self, encoder) }

    private static var fields: OptionFields<Self> {
        [
            .init("detector", \.detector),
            .init("threshold", \.threshold),
            .init("negativeThreshold", \.negativeThreshold),
            .init("minSpeechSeconds", \.minSpeechSeconds),
            // JSON has no infinity, so the field is left out if there is no limit.
            .init("maxSpeechSeconds", \.maxSpeechSeconds, encode: { $0.isFinite ? $0 : nil }, decode: { $0 }),
            .init("minSilenceSeconds", \.minSilenceSeconds),
            .init("speechPadSeconds", \.speechPadSeconds),
        ]
    }
}
