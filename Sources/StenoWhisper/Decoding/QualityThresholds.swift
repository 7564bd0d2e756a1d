import StenoCore

/// The measures that separate a good text from a hallucination, for one decoding of a window or an utterance.
struct TextQuality: Sendable, Hashable {
    /// The mean natural-log probability of the text's tokens, end of text included.
    var averageLogProbability: Double
    /// The text's length over its zlib-compressed length.
    var compressionRatio: Double
    /// The probability of no speech, from 0 to 1.
    var noSpeechProbability: Double
}

/// The Whisper paper's quality thresholds, as applied by faster-whisper; nil is off.
///
/// See Radford et al. 2022, section 4.5. Every decision to decode a text again, or to treat it as silence, is made
/// here.
struct QualityThresholds: Sendable, Hashable {
    /// A text with a higher compression ratio repeats itself.
    var compressionRatio: Double? = 2.4
    /// A text with a lower mean log probability is improbable.
    var logProbability: Double? = -1
    /// Above this no-speech probability there is no speech, if the text is improbable too.
    var noSpeech: Double? = 0.6

    /// Whether the text must be decoded again at the next temperature.
    func fail(_ text: TextQuality) -> Bool {
        let repeats = compressionRatio.map { text.compressionRatio > $0 } ?? false
        let isImprobable = logProbability.map { text.averageLogProbability < $0 } ?? false
        return (repeats || isImprobable) && !(isAboveNoSpeech(text) && isImprobable)
    }

    /// Whether the window is silence, whatever its text; a probable text overrides the no-speech probability.
    func isSilence(_ text: TextQuality) -> Bool {
        isAboveNoSpeech(text) && logProbability.map { !(text.averageLogProbability > $0) } ?? true
    }

    /// Whether a text is doubtful in a recording in which no speech was found.
    ///
    /// Measured with Whisper base: its text for noise has a mean log probability below −0.57 or a no-speech probability
    /// above 0.99; of 40 sentences attenuated by 60 dB, all but two are above −0.53, and all are below 0.77. A
    /// threshold that is off is off here too.
    func isDoubtful(_ text: TextQuality) -> Bool {
        let isImprobable = logProbability.map { text.averageLogProbability < max($0, Self.doubtfulLogProbability) }
        let isNoise = noSpeech.map { text.noSpeechProbability > max($0, Self.certainNoSpeech) }
        return isImprobable ?? false || isNoise ?? false
    }

    private static let doubtfulLogProbability = -0.55
    private static let certainNoSpeech = 0.9

    private func isAboveNoSpeech(_ text: TextQuality) -> Bool {
        noSpeech.map { text.noSpeechProbability > $0 } ?? false
    }
}

extension WhisperOptions {
    var thresholds: QualityThresholds {
        QualityThresholds(
            compressionRatio: compressionRatioThreshold, logProbability: logProbabilityThreshold,
            noSpeech: noSpeechThreshold)
    }
}
