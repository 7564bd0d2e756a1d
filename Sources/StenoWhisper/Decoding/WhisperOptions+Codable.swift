import StenoCore
import StenoVoiceActivity

extension WhisperOptions: Codable {
    /// Decodes options; missing ones get their defaults.
    public init(from decoder: any Decoder) throws { self = try Self.fields.read(WhisperOptions(), decoder) }

    /// Encodes all options.
    public func encode(to encoder: any Encoder) throws { try Self.fields.write(self, encoder) }

    /// The options, by their names.
    static var fields: OptionFields<Self> {
        [
            .init("multilingual", \.multilingual),
            .init("languageDetectionSegments", \.languageDetectionSegments),
            .init("languageDetectionThreshold", \.languageDetectionThreshold),
            .init("beamSize", \.beamSize),
            .init("bestOf", \.bestOf),
            .init("patience", \.patience),
            .init("lengthPenalty", \.lengthPenalty),
            .init("repetitionPenalty", \.repetitionPenalty),
            .init("noRepeatNGramSize", \.noRepeatNGramSize),
            .init("temperatures", \.temperatures),
            .init("seed", \.seed),
            .init("compressionRatioThreshold", \.compressionRatioThreshold),
            .init("logProbabilityThreshold", \.logProbabilityThreshold),
            .init("noSpeechThreshold", \.noSpeechThreshold),
            .init("skipsSilence", \.skipsSilence),
            .init("conditionOnPreviousText", \.conditionOnPreviousText),
            .init("promptResetOnTemperature", \.promptResetOnTemperature),
            .init("initialPromptTokens", \.initialPromptTokens),
            .init("prefix", \.prefix),
            .init("suppressBlank", \.suppressBlank),
            .init("suppressTokens", \.suppressTokens),
            .init("withoutTimestamps", \.withoutTimestamps),
            .init("maxInitialTimestamp", \.maxInitialTimestamp),
            .init("prependedPunctuation", \.prependedPunctuation),
            .init("appendedPunctuation", \.appendedPunctuation),
            .init("hallucinationSilenceThreshold", \.hallucinationSilenceThreshold),
            .init("voiceActivity", \.voiceActivity),
            .init("guards", \.guards),
            .init("chunkLength", \.chunkLength),
            .init("maxNewTokens", \.maxNewTokens),
            .init("audioContext", \.audioContext),
        ]
    }
}
