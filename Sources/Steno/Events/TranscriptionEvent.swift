public import StenoCore


/// What a live engine tells, in order.
///
/// Every event carries its `position`: how many seconds of audio had been taken in when it was made. The difference to
/// the time of a word is the word's latency.
public enum TranscriptionEvent: Sendable, Hashable {
    /// What is heard after the last final text; it replaces the partial before it and may change or vanish.
    ///
    /// Its segment has the id that the next final one will have. The text is empty when nothing is left to show.
    case partial(text: String, segments: [TranscriptSegment], position: Double)
    /// Text that is final: it follows all final text before it and never changes.
    case final(text: String, segments: [TranscriptSegment], position: Double)
    /// How loud the last tenth of a second was.
    case audioLevel(AudioLevel, position: Double)
    /// Somebody begins or stops to speak, at a time in the audio.
    case speech(isSpeaking: Bool, time: Double, position: Double)
    /// The language spoken was detected.
    case language(LanguageDetection, position: Double)
    /// The engine's state changed.
    case stateChange(TranscriptionState, position: Double)
    /// The audio taken in was not continuous: some is missing, or came twice.
    ///
    /// All times continue as the source has them, so what was done about it concerns nobody but who wants to know.
    case discontinuity(AudioDiscontinuity, position: Double)
    /// Audio that was not transcribed, in seconds, because the machine could not keep up and the caller allowed it.
    case shed(Range<Double>, position: Double)
    /// Text that was heard and that nobody said, by what a guard found: it is not in any final text.
    case guarded(GuardAction, position: Double)
    /// What went wrong; the state says whether the engine continues.
    case error(TranscriptionFailure, position: Double)

    /// The seconds of audio taken in when the event was made.
    public var position: Double {
        switch self {
        case .partial(_, _, let position), .final(_, _, let position), .audioLevel(_, let position),
            .speech(_, _, let position), .language(_, let position), .stateChange(_, let position),
            .discontinuity(_, let position), .shed(_, let position), .guarded(_, let position), .error(_, let position):
            position
        }
    }
}

/// What a live engine is doing.
public enum TranscriptionState: Sendable, Hashable {
    /// It was made, and not started.
    case idle
    /// It makes ready: loads its model, or waits for an asset.
    case preparing
    /// It listens and keeps up.
    case running
    /// It listens, and its text is this many seconds behind the audio.
    case behind(seconds: Double)
    /// The audio has ended; the last words are being decoded.
    case finishing
    /// All text is out. The end.
    case finished
    /// It was cancelled before all text was out. The end.
    case cancelled
    /// It cannot continue; an error event said why. The end.
    case failed

    /// Whether no event follows.
    public var isEnd: Bool { [.finished, .cancelled, .failed].contains(self) }
}

/// What went wrong in a live engine.
public struct TranscriptionFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// One or two sentences: what is wrong, and what to do.
    public var description: String

    /// Creates a failure.
    public init(_ description: String) { self.description = description }

    /// Takes the sentence of another error.
    public init(_ error: any Error) { description = (error as? TranscriptionFailure)?.description ?? "\(error)" }
}

/// How loud a stretch of audio is, in decibels below full scale: 0 is the loudest, −120 stands for silence.
public struct AudioLevel: Sendable, Hashable, Codable {
    /// The level of the root mean square.
    public var rms: Double
    /// The level of the largest sample.
    public var peak: Double

    /// Creates a level.
    public init(rms: Double, peak: Double) {
        self.rms = rms
        self.peak = peak
    }
}
