public import StenoCore

/// An event of the transcription of a recording, in the order in which the information becomes available.
///
///     for try await event in transcriber.events(file: talk) {
///         if let segment = event.segment { print(segment.text) }
///         if let fraction = event.progress?.fraction { bar.value = fraction }
///     }
///
/// Every property but ``kind`` is nil unless the event is of that kind.
public struct FileEvent: Sendable {
    /// What an event reports; there may be more kinds in later versions.
    public struct Kind: RawRepresentable, Sendable, Hashable {
        /// The language was given or detected: once, before the first segment.
        public static let language = Kind(rawValue: "language")
        /// The duration of the audio is known: at once for most files, at the end for a pipe.
        public static let duration = Kind(rawValue: "duration")
        /// The work has come further: several times in a window of 30 seconds, and never backwards.
        public static let progress = Kind(rawValue: "progress")
        /// The next segment, which is final.
        public static let segment = Kind(rawValue: "segment")
        /// The transcript: the last event.
        public static let finished = Kind(rawValue: "finished")

        /// The name.
        public let rawValue: String

        /// Creates a kind with a name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// How far a transcription has come.
    public struct Progress: Sendable, Hashable {
        /// The seconds of audio that are transcribed.
        package let processed: Double
        /// The duration of the audio in seconds, if it is known.
        public let duration: Double?
        /// The seconds until the end, estimated from the speed so far; nil until there is something to go by.
        public let timeLeft: Double?

        /// The part that is done, from 0 to 1; nil while the duration is unknown.
        public var fraction: Double? { duration.map { $0 > 0 ? min(1, processed / $0) : 1 } }
    }

    /// What the event reports.
    public let kind: Kind
    /// The language.
    public let language: LanguageDetection?
    /// The duration in seconds.
    public let duration: Double?
    /// The progress.
    public let progress: Progress?
    /// The segment.
    public let segment: Segment?
    /// The transcript.
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
