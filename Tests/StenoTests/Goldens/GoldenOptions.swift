import Steno

@testable import StenoWhisper

/// Options under faster-whisper's names, as the goldens have them, with Steno's values.
struct GoldenOptions: Decodable {
    /// What a golden changes, on top of temperature 0.
    var options = WhisperOptions()

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Name.self)
        options.temperatures = [0]
        for name in values.allKeys { try set(name, values) }
    }

    /// An unknown name is an error: a golden must not pass because an option was ignored.
    private mutating func set(_ name: Name, _ values: KeyedDecodingContainer<Name>) throws {
        func get<Value: Decodable>(_: Value.Type = Value.self) throws -> Value {
            try values.decode(Value.self, forKey: name)
        }
        func optional<Value: Decodable>() throws -> Value? { try values.decodeIfPresent(Value.self, forKey: name) }
        switch name.stringValue {
        case "language": options.language = try get()
        case "task": options.task = try get()
        case "beam_size": options.beamSize = try get()
        case "patience": options.patience = try get()
        case "length_penalty": options.lengthPenalty = try get()
        case "repetition_penalty": options.repetitionPenalty = try get()
        case "no_repeat_ngram_size": options.noRepeatNGramSize = try get()
        case "compression_ratio_threshold": options.compressionRatioThreshold = try optional()
        case "log_prob_threshold": options.logProbabilityThreshold = try optional()
        case "no_speech_threshold": options.noSpeechThreshold = try optional()
        case "condition_on_previous_text": options.conditionOnPreviousText = try get()
        case "prompt_reset_on_temperature": options.promptResetOnTemperature = try get()
        case "initial_prompt":
            options.initialPromptTokens = try? get([Int].self)
            if options.initialPromptTokens == nil { options.initialPrompt = try get() }
        case "prefix": options.prefix = try get()
        case "hotwords": options.hotwords = try get()
        case "suppress_blank": options.suppressBlank = try get()
        case "suppress_tokens": options.suppressTokens = try get()
        case "without_timestamps": options.withoutTimestamps = try get()
        case "max_initial_timestamp": options.maxInitialTimestamp = try get()
        case "max_new_tokens": options.maxNewTokens = try get()
        case "word_timestamps": options.wordTimestamps = try get()
        case "hallucination_silence_threshold": options.hallucinationSilenceThreshold = try get()
        case "multilingual": options.multilingual = try get()
        case "language_detection_segments": options.languageDetectionSegments = try get()
        case "language_detection_threshold": options.languageDetectionThreshold = try get()
        case "chunk_length": options.chunkLength = try get()
        case "clip_timestamps":
            let times = try get(String.self).split(separator: ",").compactMap { Double($0) }
            options.clips = try WhisperOptions.clips(timestamps: times)
        default:
            throw DecodingError.dataCorruptedError(
                forKey: name, in: values, debugDescription: "\(name.stringValue) is not known here")
        }
    }
}
