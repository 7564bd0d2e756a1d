import StenoCore

extension CueSplitting: Codable {
    /// Decodes options; missing ones get their defaults.
    public init(from decoder: any Decoder) throws { self = try Self.fields.read(CueSplitting(), decoder) }

    /// Encodes all options.
    public func encode(to encoder: any Encoder) throws { try Self.fields.write(self, encoder) }

    private static var fields: OptionFields<Self> {
        [
            .init("lineWidth", \.lineWidth),
            .init("lineCount", \.lineCount),
            .init("readingSpeed", \.readingSpeed),
            .init("minDuration", \.minDuration),
            .init("maxDuration", \.maxDuration),
            .init("minGap", \.minGap),
        ]
    }
}
