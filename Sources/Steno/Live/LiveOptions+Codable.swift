import StenoCore
import StenoVoice
import StenoWhisper

extension LiveOptions: Codable {
    private enum CodingKeys: String, CodingKey {
        case language, task, hotwords, initialPrompt, step, pause, endpoint, preRoll, agreement, hold, confidence,
            patience, showAfter, trimAfter, longestUtterance, finalBeamSize, finalTemperatures, contextTokens,
            detector, speechThreshold, silenceThreshold, shortestSpeech, languageAfter, switchesLanguage, guards,
            sheddingLag
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
        try readOptional(.hotwords, &hotwords)
        try readOptional(.initialPrompt, &initialPrompt)
        try read(.step, &step)
        try read(.pause, &pause)
        try read(.endpoint, &endpoint)
        try read(.preRoll, &preRoll)
        try read(.agreement, &agreement)
        try read(.hold, &hold)
        try read(.confidence, &confidence)
        try read(.patience, &patience)
        try read(.showAfter, &showAfter)
        try read(.trimAfter, &trimAfter)
        try read(.longestUtterance, &longestUtterance)
        try read(.finalBeamSize, &finalBeamSize)
        try read(.finalTemperatures, &finalTemperatures)
        try read(.contextTokens, &contextTokens)
        try read(.detector, &detector)
        try read(.speechThreshold, &speechThreshold)
        try read(.silenceThreshold, &silenceThreshold)
        try read(.shortestSpeech, &shortestSpeech)
        try read(.languageAfter, &languageAfter)
        try read(.switchesLanguage, &switchesLanguage)
        try readOptional(.guards, &guards)
        try readOptional(.sheddingLag, &sheddingLag)
    }

    /// Encodes all options.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(language, forKey: .language)
        try container.encode(task, forKey: .task)
        try container.encode(hotwords, forKey: .hotwords)
        try container.encode(initialPrompt, forKey: .initialPrompt)
        try container.encode(step, forKey: .step)
        try container.encode(pause, forKey: .pause)
        try container.encode(endpoint, forKey: .endpoint)
        try container.encode(preRoll, forKey: .preRoll)
        try container.encode(agreement, forKey: .agreement)
        try container.encode(hold, forKey: .hold)
        try container.encode(confidence, forKey: .confidence)
        try container.encode(patience, forKey: .patience)
        try container.encode(showAfter, forKey: .showAfter)
        try container.encode(trimAfter, forKey: .trimAfter)
        try container.encode(longestUtterance, forKey: .longestUtterance)
        try container.encode(finalBeamSize, forKey: .finalBeamSize)
        try container.encode(finalTemperatures, forKey: .finalTemperatures)
        try container.encode(contextTokens, forKey: .contextTokens)
        try container.encode(detector, forKey: .detector)
        try container.encode(speechThreshold, forKey: .speechThreshold)
        try container.encode(silenceThreshold, forKey: .silenceThreshold)
        try container.encode(shortestSpeech, forKey: .shortestSpeech)
        try container.encode(languageAfter, forKey: .languageAfter)
        try container.encode(switchesLanguage, forKey: .switchesLanguage)
        try container.encode(guards, forKey: .guards)
        try container.encode(sheddingLag, forKey: .sheddingLag)
    }
}
