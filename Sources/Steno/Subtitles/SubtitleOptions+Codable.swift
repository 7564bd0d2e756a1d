import StenoCore

extension SubtitleOptions: Codable {
    /// Decodes options; missing ones get their defaults.
    public init(from decoder: any Decoder) throws { self = try Self.fields.read(SubtitleOptions(), decoder) }

    /// Encodes all options.
    public func encode(to encoder: any Encoder) throws { try Self.fields.write(self, encoder) }

    private static var fields: OptionFields<Self> {
        [
            .init("maxLineWidth", \.maxLineWidth),
            .init("maxLineCount", \.maxLineCount),
            .init("maxWordsPerLine", \.maxWordsPerLine),
            .init("highlight", \.highlight),
            .init("splitting", \.splitting),
        ]
    }
}
