import StenoCore
import StenoVoice

extension DecodingOptions: Codable {
    private enum CodingKeys: String, CodingKey {
        case language, task, multilingual, languageDetectionSegments, languageDetectionThreshold, beamSize, bestOf,
            patience, lengthPenalty, repetitionPenalty, noRepeatNGramSize, temperatures, seed,
            compressionRatioThreshold, logProbabilityThreshold, noSpeechThreshold, skipsSilence,
            conditionOnPreviousText,
            promptResetOnTemperature, initialPrompt, initialPromptTokens, prefix, hotwords, suppressBlank,
            suppressTokens, withoutTimestamps, maxInitialTimestamp, wordTimestamps, prependedPunctuation,
            appendedPunctuation,
            hallucinationSilenceThreshold, voiceActivity, guards, clips, chunkLength, batchSize, maxNewTokens,
            audioContext
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
        try readOptional(.language, &language)
        try read(.task, &task)
        try read(.multilingual, &multilingual)
        try read(.languageDetectionSegments, &languageDetectionSegments)
        try read(.languageDetectionThreshold, &languageDetectionThreshold)
        try read(.beamSize, &beamSize)
        try read(.bestOf, &bestOf)
        try read(.patience, &patience)
        try read(.lengthPenalty, &lengthPenalty)
        try read(.repetitionPenalty, &repetitionPenalty)
        try read(.noRepeatNGramSize, &noRepeatNGramSize)
        try read(.temperatures, &temperatures)
        try read(.seed, &seed)
        try readOptional(.compressionRatioThreshold, &compressionRatioThreshold)
        try readOptional(.logProbabilityThreshold, &logProbabilityThreshold)
        try readOptional(.noSpeechThreshold, &noSpeechThreshold)
        try read(.skipsSilence, &skipsSilence)
        try read(.conditionOnPreviousText, &conditionOnPreviousText)
        try read(.promptResetOnTemperature, &promptResetOnTemperature)
        try readOptional(.initialPrompt, &initialPrompt)
        try readOptional(.initialPromptTokens, &initialPromptTokens)
        try readOptional(.prefix, &prefix)
        try readOptional(.hotwords, &hotwords)
        try read(.suppressBlank, &suppressBlank)
        try read(.suppressTokens, &suppressTokens)
        try read(.withoutTimestamps, &withoutTimestamps)
        try read(.maxInitialTimestamp, &maxInitialTimestamp)
        try read(.wordTimestamps, &wordTimestamps)
        try read(.prependedPunctuation, &prependedPunctuation)
        try read(.appendedPunctuation, &appendedPunctuation)
        try readOptional(.hallucinationSilenceThreshold, &hallucinationSilenceThreshold)
        try readOptional(.voiceActivity, &voiceActivity)
        try readOptional(.guards, &guards)
        if let found = try container.decodeIfPresent([Clip].self, forKey: .clips) {
            clips = try found.map { try $0.range(decoder) }
        }
        try readOptional(.chunkLength, &chunkLength)
        try read(.batchSize, &batchSize)
        try readOptional(.maxNewTokens, &maxNewTokens)
        try read(.audioContext, &audioContext)
    }

    /// Encodes all options.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(language, forKey: .language)
        try container.encode(task, forKey: .task)
        try container.encode(multilingual, forKey: .multilingual)
        try container.encode(languageDetectionSegments, forKey: .languageDetectionSegments)
        try container.encode(languageDetectionThreshold, forKey: .languageDetectionThreshold)
        try container.encode(beamSize, forKey: .beamSize)
        try container.encode(bestOf, forKey: .bestOf)
        try container.encode(patience, forKey: .patience)
        try container.encode(lengthPenalty, forKey: .lengthPenalty)
        try container.encode(repetitionPenalty, forKey: .repetitionPenalty)
        try container.encode(noRepeatNGramSize, forKey: .noRepeatNGramSize)
        try container.encode(temperatures, forKey: .temperatures)
        try container.encode(seed, forKey: .seed)
        try container.encode(compressionRatioThreshold, forKey: .compressionRatioThreshold)
        try container.encode(logProbabilityThreshold, forKey: .logProbabilityThreshold)
        try container.encode(noSpeechThreshold, forKey: .noSpeechThreshold)
        try container.encode(skipsSilence, forKey: .skipsSilence)
        try container.encode(conditionOnPreviousText, forKey: .conditionOnPreviousText)
        try container.encode(promptResetOnTemperature, forKey: .promptResetOnTemperature)
        try container.encode(initialPrompt, forKey: .initialPrompt)
        try container.encode(initialPromptTokens, forKey: .initialPromptTokens)
        try container.encode(prefix, forKey: .prefix)
        try container.encode(hotwords, forKey: .hotwords)
        try container.encode(suppressBlank, forKey: .suppressBlank)
        try container.encode(suppressTokens, forKey: .suppressTokens)
        try container.encode(withoutTimestamps, forKey: .withoutTimestamps)
        try container.encode(maxInitialTimestamp, forKey: .maxInitialTimestamp)
        try container.encode(wordTimestamps, forKey: .wordTimestamps)
        try container.encode(prependedPunctuation, forKey: .prependedPunctuation)
        try container.encode(appendedPunctuation, forKey: .appendedPunctuation)
        try container.encode(hallucinationSilenceThreshold, forKey: .hallucinationSilenceThreshold)
        try container.encode(voiceActivity, forKey: .voiceActivity)
        try container.encode(guards, forKey: .guards)
        try container.encode(clips.map(Clip.init), forKey: .clips)
        try container.encode(chunkLength, forKey: .chunkLength)
        try container.encode(batchSize, forKey: .batchSize)
        try container.encode(maxNewTokens, forKey: .maxNewTokens)
        try container.encode(audioContext, forKey: .audioContext)
    }
}

/// A part of the audio as JSON has it: numbers of seconds, and no end where it extends to the end of the audio.
private struct Clip: Codable {
    var start: Double
    var end: Double?

    init(_ range: Range<Double>) {
        start = range.lowerBound
        end = range.upperBound.isFinite ? range.upperBound : nil
    }

    func range(_ decoder: any Decoder) throws -> Range<Double> {
        let end = end ?? .infinity
        guard start <= end else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a clip ends before it starts"))
        }
        return start..<end
    }
}
