import StenoCore

/// What tells a good text from a hallucination, for one decoding of a window or an utterance.
struct TextQuality: Sendable, Hashable {
    /// The mean natural-log probability of the text's tokens, end of text included.
    var averageLogProbability: Double
    /// The text's length over its zlib-compressed length.
    var compressionRatio: Double
    /// The probability that nobody speaks, from 0 to 1.
    var noSpeechProbability: Double
}

/// The thresholds of the Whisper paper (Radford et al. 2022, section 4.5), as faster-whisper applies them; nil is off.
///
/// This is the one place that says when a text is decoded again and when it is taken for silence.
struct QualityThresholds: Sendable, Hashable {
    /// A text that compresses better than this repeats itself.
    var compressionRatio: Double? = 2.4
    /// A text with a lower mean log probability is improbable.
    var logProbability: Double? = -1
    /// Above this probability nobody speaks, if the text is improbable too.
    var noSpeech: Double? = 0.6

    /// Whether the text is to be decoded again at the next temperature.
    func fail(_ text: TextQuality) -> Bool {
        let repeats = compressionRatio.map { text.compressionRatio > $0 } ?? false
        let isImprobable = logProbability.map { text.averageLogProbability < $0 } ?? false
        return (repeats || isImprobable) && !(isAboveNoSpeech(text) && isImprobable)
    }

    /// Whether the window is taken for silence, whatever the text says; a probable text stands.
    func isSilence(_ text: TextQuality) -> Bool {
        isAboveNoSpeech(text) && logProbability.map { !(text.averageLogProbability > $0) } ?? true
    }

    private func isAboveNoSpeech(_ text: TextQuality) -> Bool {
        noSpeech.map { text.noSpeechProbability > $0 } ?? false
    }
}

extension DecodingOptions {
    /// The thresholds asked for.
    var thresholds: QualityThresholds {
        QualityThresholds(
            compressionRatio: compressionRatioThreshold, logProbability: logProbabilityThreshold,
            noSpeech: noSpeechThreshold)
    }
}
