/// What happens to audio if transcription cannot keep up.
public enum OverflowPolicy: Sendable, Hashable {
    /// Everything is transcribed, however late; this is the default.
    case keepEverything
    /// While the text is more than this many seconds behind, the quietest waiting utterance is skipped.
    ///
    /// Skipped audio is reported (``StreamingRecognizer/skippedAudio`` and the delegate).
    case skipQuietest(whenBehind: Double)

    /// The core's option: the lag in seconds above which audio is skipped.
    var sheddingLag: Double? {
        switch self {
        case .keepEverything: nil
        case .skipQuietest(let seconds): seconds
        }
    }
}
