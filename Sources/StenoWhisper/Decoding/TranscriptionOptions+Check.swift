import StenoCore

extension TranscriptionOptions {
    /// Throws an error that names the option if a value is outside its range.
    func validate() throws {
        try validateCommon()
        let own = whisper
        let checks: [(Bool, String)] = [
            (own.beamSize >= 1 && own.beamSize <= 64, "The beam size must be from 1 to 64."),
            (own.bestOf >= 1 && own.bestOf <= 64, "The number of samples (best of) must be from 1 to 64."),
            (own.patience > 0 && own.patience.isFinite, "The patience must be more than 0."),
            (own.lengthPenalty.isFinite, "The length penalty must be a number."),
            ((0.001...1000).contains(own.repetitionPenalty), "The repetition penalty must be from 0.001 to 1000."),
            (own.noRepeatNGramSize >= 0, "The n-gram size must be 0 (off) or more."),
            (!own.temperatures.isEmpty, "Give at least one temperature."),
            (own.temperatures.allSatisfy { (0...100).contains($0) }, "A temperature must be from 0 to 100."),
            (
                own.maxInitialTimestamp >= 0 && own.maxInitialTimestamp <= 30,
                "The first timestamp's limit is 0 to 30 seconds."
            ),
            (own.hallucinationSilenceThreshold ?? 0 >= 0, "The hallucination threshold must be 0 seconds or more."),
            (
                own.hallucinationSilenceThreshold == nil || findsWords,
                "The hallucination threshold needs word timestamps: turn them on as well."
            ),
            (own.maxNewTokens ?? 1 >= 1, "The number of new tokens must be at least 1."),
            (own.languageDetectionSegments >= 1, "The language must be detected from at least 1 window."),
            ((0...1).contains(own.languageDetectionThreshold), "The language detection threshold must be from 0 to 1."),
            (
                clips.isEmpty || own.voiceActivity == nil,
                "Clips and voice activity both choose what is decoded: give only one of them."
            ),
        ]
        if let failed = checks.first(where: { !$0.0 }) { throw StenoError(.invalidOption, failed.1) }
        try own.guards?.validate()
    }

    /// Whether words get times, which the guards need.
    var findsWords: Bool { wordTimestamps || whisper.guards != nil }
}
