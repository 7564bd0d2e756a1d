import Steno

/// The parameters of an ``AudioStreamTranscriber``, and what they set in Steno's live options.
struct StreamParameters: Sendable {
    var options: DecodingOptions
    var requiredSegmentsForConfirmation = 2
    var silenceThreshold: Float = 0.3
    var compressionCheckWindow = 60
    var useVAD = true

    /// Steno's options for a stream; WhisperKit's defaults give Steno's defaults.
    func core(_ tokenizer: (any WhisperTokenizer)?) -> LiveOptions {
        var live = LiveOptions(language: options.language, task: options.task.core)
        live.prompt = options.promptTokens.flatMap { tokenizer?.decode(tokens: $0) }
        // Whisper's list of temperatures was chosen for files; Steno has its own for streams.
        if options.temperatures != DecodingOptions().temperatures { live.finalTemperatures = options.temperatures }
        live.balance = balance
        live.detector = useVAD ? .silero : .energy
        live.speechThreshold = speechProbability(live.speechThreshold)
        live.silenceThreshold *= live.speechThreshold / LiveOptions().speechThreshold
        var guards = GuardOptions()
        guards.repetition = compressionCheckWindow > 0 && options.compressionRatioThreshold != nil
        guards.repeatedWords = repeatedWords(guards.repeatedWords)
        live.guards = guards
        return live
    }

    /// WhisperKit confirms a segment when this many others follow it: the more, the later and the more accurate.
    private var balance: LiveBalance {
        switch requiredSegmentsForConfirmation {
        case ...1: .soonest
        case 2: .balanced
        default: .accurate
        }
    }

    /// Converts an energy from 0 to 1 to a speech probability: 0.3 gives Steno's default, 0 and 1 stay the same.
    private func speechProbability(_ usual: Double) -> Double {
        let threshold = Double(max(0, min(1, silenceThreshold.isNaN ? 0.3 : silenceThreshold)))
        let standard = Double(Float(0.3))
        return threshold <= standard
            ? usual * threshold / standard : usual + (1 - usual) * (threshold - standard) / (1 - standard)
    }

    /// The number of repeated words that count as a loop, in proportion to WhisperKit's number of tokens.
    private func repeatedWords(_ usual: Int) -> Int {
        max(1, (max(0, min(10_000, compressionCheckWindow)) * usual + 30) / 60)
    }
}
