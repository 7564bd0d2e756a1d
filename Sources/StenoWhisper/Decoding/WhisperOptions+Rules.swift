import StenoCore

extension WhisperOptions {
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
    var suppressedMarks: [Int] { [transcribe, translate, startOfTranscript, startOfPrevious, startOfLM, noSpeech] }
}
