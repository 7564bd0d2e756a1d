import StenoCore

extension WhisperOptions {
    /// Throws an error that names the option if a value is outside its range.
    func validate() throws {
        let checks: [(Bool, String)] = [
            (beamSize >= 1 && beamSize <= 64, "The beam size must be from 1 to 64."),
            ((1...64).contains(batchSize), "The batch size must be from 1 to 64."),
            (bestOf >= 1 && bestOf <= 64, "The number of samples (best of) must be from 1 to 64."),
            (patience > 0 && patience.isFinite, "The patience must be more than 0."),
            (lengthPenalty.isFinite, "The length penalty must be a number."),
            ((0.001...1000).contains(repetitionPenalty), "The repetition penalty must be from 0.001 to 1000."),
            (noRepeatNGramSize >= 0, "The n-gram size must be 0 (off) or more."),
            (!temperatures.isEmpty, "Give at least one temperature."),
            (temperatures.allSatisfy { (0...100).contains($0) }, "A temperature must be from 0 to 100."),
            (maxInitialTimestamp >= 0 && maxInitialTimestamp <= 30, "The first timestamp's limit is 0 to 30 seconds."),
            (hallucinationSilenceThreshold ?? 0 >= 0, "The hallucination threshold must be 0 seconds or more."),
            (
                hallucinationSilenceThreshold == nil || findsWords,
                "The hallucination threshold needs word timestamps: turn them on as well."
            ),
            (maxNewTokens ?? 1 >= 1, "The number of new tokens must be at least 1."),
            (languageDetectionSegments >= 1, "The language must be detected from at least 1 window."),
            ((0...1).contains(languageDetectionThreshold), "The language detection threshold must be from 0 to 1."),
            (
                clips.allSatisfy { $0.lowerBound >= 0 && $0.lowerBound.isFinite },
                "A clip must start at 0 seconds or later."
            ),
            (
                clips.isEmpty || voiceActivity == nil,
                "Clips and voice activity both choose what is decoded: give only one of them."
            ),
        ]
        if let failed = checks.first(where: { !$0.0 }) { throw StenoError(.invalidOption, failed.1) }
        try guards?.validate()
    }

    /// Whether words get times, which the guards need.
    var findsWords: Bool { wordTimestamps || guards != nil }

    /// The logit rules that these options define for a model.
    func rules(for model: WhisperModel) throws -> LogitRules {
        let special = model.tokenizer.specialTokens
        var rules = LogitRules()
        rules.suppressed = try suppressed(for: model)
        if suppressBlank { rules.suppressedAtBegin = model.suppressedAtBegin }
        if !withoutTimestamps {
            rules.timestamps = TimestampRules(
                endOfText: special.endOfText, noTimestamps: special.noTimestamps,
                timestampBegin: special.timestampBegin,
                maxInitial: Int((maxInitialTimestamp / WhisperSegmentDetails.timestampStep).rounded(.toNearestOrEven)))
        }
        rules.repetitionPenalty = Float(repetitionPenalty)
        rules.noRepeatNGramSize = noRepeatNGramSize
        return rules
    }

    /// The suppressed tokens: those asked for, and special tokens that are never part of a text.
    ///
    /// An empty list forbids nothing, as in faster-whisper.
    private func suppressed(for model: WhisperModel) throws -> [Int] {
        guard !suppressTokens.isEmpty else { return [] }
        let tokenizer = model.tokenizer, special = tokenizer.specialTokens
        if let wrong = suppressTokens.first(where: { $0 < -1 || $0 >= model.shape.vocabularySize }) {
            throw StenoError(
                .invalidOption,
                "There is no token \(wrong): token ids range from 0 to \(model.shape.vocabularySize - 1).")
        }
        let asked = suppressTokens.filter { $0 >= 0 }
        let symbols = suppressTokens.contains(-1) ? tokenizer.nonSpeechTokens : []
        return Set(asked + symbols + special.suppressedMarks).sorted()
    }
}

extension WhisperModel {
    /// The tokens suppressed at the start of a text: those the model's file lists, otherwise a space and the end of
    /// text.
    var suppressedAtBegin: [Int] {
        guard configuration.suppressedAtBegin.isEmpty else { return configuration.suppressedAtBegin }
        return tokenizer.suppressedAtBegin
    }
}

extension Tokenizer {
    /// The tokens suppressed at the start of a text by default: a space and the end of text.
    var suppressedAtBegin: [Int] { encode(" ").prefix(1) + [specialTokens.endOfText] }
}

extension SpecialTokens {
    /// The special tokens that are never part of a text.
    var suppressedMarks: [Int] {
        [transcribe, translate, startOfTranscript, startOfPrevious, startOfLM, noSpeech]
    }
}
