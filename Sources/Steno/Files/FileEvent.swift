public import StenoCore

/// An event of the transcription of a recording, in the order in which the information becomes available.
///
///     for try await event in transcriber.events(file: talk) {
///         if let segment = event.segment { print(segment.text) }
///         if let fraction = event.progress?.fraction { bar.value = fraction }
///     }
///
/// One property is not nil, which says what the event reports; there may be others in later versions.
public struct FileEvent: Sendable {
    /// What an event reports.
    package enum Kind: Sendable, Hashable {
        case language, duration, progress, segment, finished
    }

    /// How far a transcription has come.
    public struct Progress: Sendable, Hashable {
        /// The seconds of audio that are transcribed.
        package let processed: Double
        /// The duration of the audio in seconds, if it is known.
        package let duration: Double?
        /// The seconds until the end, estimated from the speed so far; nil until there is something to go by.
        public let timeLeft: Double?

        /// The part that is done, from 0 to 1; nil while the duration is unknown.
        public var fraction: Double? { duration.map { $0 > 0 ? min(1, processed / $0) : 1 } }
    }

    package let kind: Kind
    /// The language that was given or detected: once, before the first segment.
    public let language: LanguageDetection?
    /// The duration of the audio in seconds: at once for most files, at the end for a pipe.
    public let duration: Double?
    /// How far the work has come: several times in a window of 30 seconds, and never backwards.
    public let progress: Progress?
    /// The next segment, which is final.
    public let segment: Segment?
    /// The transcript: the last event.
    public let transcript: Transcript?

    private init(
        _ kind: Kind, language: LanguageDetection? = nil, duration: Double? = nil, progress: Progress? = nil,
        segment: Segment? = nil, transcript: Transcript? = nil
    ) {
        self.kind = kind
        self.language = language
        self.duration = duration
        self.progress = progress
        self.segment = segment
        self.transcript = transcript
    }

    static func language(_ language: LanguageDetection) -> FileEvent { FileEvent(.language, language: language) }

    static func duration(_ seconds: Double) -> FileEvent { FileEvent(.duration, duration: seconds) }

    static func progress(_ progress: Progress) -> FileEvent { FileEvent(.progress, progress: progress) }

    static func segment(_ segment: Segment) -> FileEvent { FileEvent(.segment, segment: segment) }

    static func finished(_ transcript: Transcript) -> FileEvent { FileEvent(.finished, transcript: transcript) }
}
