public import StenoCore

/// An event of the transcription of a recording.
///
///     for try await event in transcriber.events(file: talk) {
///         if let segment = event.segment { print(segment.text) }
///         if let fraction = event.progress?.fraction { bar.value = fraction }
///     }
///
/// Exactly one property is not nil: the one that the event reports. Later versions may add properties.
public struct FileEvent: Sendable {
    /// What an event reports.
    package enum Kind: Sendable, Hashable {
        case language, duration, progress, segment, finished
    }

    /// The progress of a transcription.
    public struct Progress: Sendable, Hashable {
        /// The seconds of audio that are transcribed.
        package let processed: Double
        /// The duration of the audio in seconds, if it is known.
        package let duration: Double?
        /// The seconds until the end, estimated from the speed so far; nil while no estimate is possible.
        public let timeLeft: Double?

        /// The fraction that is done, from 0 to 1; nil while the duration is unknown.
        public var fraction: Double? { duration.map { $0 > 0 ? min(1, processed / $0) : 1 } }
    }

    package let kind: Kind
    /// The given or detected language, reported once, before the first segment.
    public let language: LanguageDetection?
    /// The duration of the audio in seconds, reported at the start for most files and at the end for a pipe.
    public let duration: Double?
    /// The progress, reported several times per window of 30 seconds; it never goes backwards.
    public let progress: Progress?
    /// The next segment, which is final.
    public let segment: Segment?
    /// The transcript, which is reported last.
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
