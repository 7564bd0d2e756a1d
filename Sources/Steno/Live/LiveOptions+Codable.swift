import StenoCore

extension LiveOptions: Codable {
    /// Decodes options; missing ones get their defaults.
    public init(from decoder: any Decoder) throws { self = try Self.fields.read(LiveOptions(), decoder) }

    /// Encodes all options.
    public func encode(to encoder: any Encoder) throws { try Self.fields.write(self, encoder) }

    private static var fields: OptionFields<Self> {
        [
            .init("language", \.language),
            .init("task", \.task),
            .init("vocabulary", \.vocabulary),
            .init("prompt", \.prompt),
            .init("balance", \.balance),
            .init("step", \.step),
            .init("pause", \.pause),
            .init("endpoint", \.endpoint),
            .init("continuation", \.continuation),
            .init("preRoll", \.preRoll),
            .init("showAfter", \.showAfter),
            .init("trimAfter", \.trimAfter),
            .init("longestUtterance", \.longestUtterance),
            .init("finalBeamSize", \.finalBeamSize),
            .init("finalTemperatures", \.finalTemperatures),
            .init("contextTokens", \.contextTokens),
            .init("detector", \.detector),
            .init("speechThreshold", \.speechThreshold),
            .init("silenceThreshold", \.silenceThreshold),
            .init("shortestSpeech", \.shortestSpeech),
            .init("languageAfter", \.languageAfter),
            .init("switchesLanguage", \.switchesLanguage),
            .init("guards", \.guards),
            .init("speakers", \.speakers),
            .init("sheddingLag", \.sheddingLag),
        ]
    }
}
