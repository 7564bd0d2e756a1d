public import StenoCore


/// An event of a live engine.
///
/// Every event has a `position`: the seconds of audio received when it was made. The difference to the time of a word is
/// the latency of that word.
public enum TranscriptionEvent: Sendable, Hashable {
    /// Text after the last final text; it replaces the previous partial text and may change or vanish.
    ///
    /// Its segment has the id of the next final one. The text is empty when there is nothing left to show.
    case partial(text: String, segments: [TranscriptSegment], position: Double)
    /// Final text: it follows all previous final text and never changes.
    case final(text: String, segments: [TranscriptSegment], position: Double)
    /// The level of the last tenth of a second.
    case audioLevel(AudioLevel, position: Double)
    /// Speech begins or ends, at a time in seconds.
    case speech(isSpeaking: Bool, time: Double, position: Double)
    /// The spoken language was detected.
    case language(LanguageDetection, position: Double)
    /// The state of the engine changed.
    case stateChange(TranscriptionState, position: Double)
    /// The audio received was not continuous: some is missing, or was delivered twice.
    ///
    /// All times remain those of the source, so the event is informational.
    case discontinuity(AudioDiscontinuity, position: Double)
    /// Audio that was not transcribed, in seconds, because the machine could not keep up and the caller allowed it.
    case shed(Range<Double>, position: Double)
    /// A hallucination that a guard removed: it is not part of any final text.
    case guarded(GuardAction, position: Double)
    /// An error; the state says whether the engine continues.
    case error(TranscriptionFailure, position: Double)

    /// The seconds of audio received when the event was made.
    public var position: Double {
        switch self {
        case .partial(_, _, let position), .final(_, _, let position), .audioLevel(_, let position),
            .speech(_, _, let position), .language(_, let position), .stateChange(_, let position),
            .discontinuity(_, let position), .shed(_, let position), .guarded(_, let position), .error(_, let position):
            position
        }
    }
}

/// The state of a live engine.
public enum TranscriptionState: Sendable, Hashable {
    /// Not started yet.
    case idle
    /// Loading the model or waiting for an asset.
    case preparing
    /// Running, and keeping up with the audio.
    case running
    /// Running, with the text this many seconds behind the audio.
    case behind(seconds: Double)
    /// The audio has ended; the last words are being decoded.
    case finishing
    /// Finished: all text is final. No event follows.
    case finished
    /// Cancelled before all text was final. No event follows.
    case cancelled
    /// Failed; an error event says why. No event follows.
    case failed

    /// Whether this is a final state, after which no event follows.
    public var isEnd: Bool { [.finished, .cancelled, .failed].contains(self) }
}

/// An error of a live engine.
public struct TranscriptionFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// One or two sentences: what is wrong, and what to do.
    public var description: String

    /// Creates a failure.
    public init(_ description: String) { self.description = description }

    /// Creates a failure with the message of another error.
    public init(_ error: any Error) { description = (error as? TranscriptionFailure)?.description ?? "\(error)" }
}

/// The level of a stretch of audio in dBFS: 0 is full scale, −120 is silence.
public struct AudioLevel: Sendable, Hashable, Codable {
    /// The level of the root mean square (RMS).
    public var rms: Double
    /// The level of the largest sample.
    public var peak: Double

    /// Creates a level.
    public init(rms: Double, peak: Double) {
        self.rms = rms
        self.peak = peak
    }
}
