/// What happens to audio when transcription cannot keep up with it.
public enum OverflowPolicy: Sendable, Hashable {
    /// Everything is transcribed, however late; this is the default.
    case keepEverything
    /// While the text is more than this many seconds behind, the quietest of the utterances that wait is not
    /// transcribed.
    ///
    /// What was skipped is reported (``StreamingRecognizer/skippedAudio`` and the delegate).
    case skipQuietest(whenBehind: Double)

    /// The core's option: the lag in seconds above which audio is skipped.
    var sheddingLag: Double? {
        switch self {
        case .keepEverything: nil
        case .skipQuietest(let seconds): seconds
        }
    }
}
