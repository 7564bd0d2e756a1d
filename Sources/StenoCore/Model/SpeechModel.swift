/// A speech recognition model of any family: audio in, text with times out.
///
/// A model never changes after loading, so any number of transcriptions share one; what they write is in states of
/// their own. Its methods compute on the calling thread for as long as it takes, and are never called on Swift's
/// cooperative pool.
public protocol SpeechModel: AnyObject, Sendable {
    /// Opens a recording, on the thread that reads it.
    typealias AudioOpener = () throws -> any SampleSource

    /// What the model is and can do.
    var information: SpeechModelInformation { get }

    /// Refuses a request that this model cannot run to its end.
    ///
    /// - Throws: ``StenoError``: `invalidOption`, `unknownLanguage`.
    func check(_ request: TranscriptionRequest) throws

    /// Transcribes recordings, several at once where the request allows it.
    ///
    /// - Parameters:
    ///   - recordings: Open each recording; called in order, when there is room for it.
    ///   - isCancelled: Asked at every token or layer, on the calling thread; true ends the work.
    ///   - onEvent: Gets what becomes known of a recording, by its number, in the order of that recording.
    ///   - onEnd: Gets each recording's transcript, or why there is none; the others continue.
    /// - Throws: ``StenoError``: `cancelled`, or what ``check(_:)`` throws.
    func transcribe(
        _ recordings: [AudioOpener], _ request: TranscriptionRequest, isCancelled: @escaping () -> Bool,
        onEvent: @escaping (Int, TranscriptionProgressEvent) -> Void,
        onEnd: @escaping (Int, Result<Transcript, any Error>) -> Void
    ) throws

    /// Finds the language spoken at the start of a recording.
    func detectLanguage(
        _ source: any SampleSource, _ request: TranscriptionRequest, isCancelled: @escaping () -> Bool
    ) throws -> LanguageDetection

    /// Allocates what decoding a growing utterance needs.
    ///
    /// - Parameter beams: The most hypotheses that a request will ask for.
    func makeUtteranceDecoder(beams: Int) throws -> any UtteranceDecoding
}

extension SpeechModel {
    /// Transcribes one recording to its end.
    package func transcribe(
        _ source: any SampleSource, options: some TranscriptionOptions = TranscriptionRequest(),
        isCancelled: @escaping () -> Bool = { false },
        onEvent: @escaping (TranscriptionProgressEvent) -> Void = { _ in }
    ) throws -> Transcript {
        var result: Result<Transcript, any Error>?
        try transcribe(
            [{ source }], options.request, isCancelled: isCancelled, onEvent: { onEvent($1) }, onEnd: { result = $1 })
        guard let result else { throw StenoError(.cancelled, "The transcription was cancelled.") }
        return try result.get()
    }
}

/// What a model is and can do, in terms that every family has.
public struct SpeechModelInformation: Sendable, Hashable {
    /// A fact about one family's model, in words for people.
    public struct Detail: Sendable, Hashable {
        /// What it is about, such as `encoder`.
        public var name: String
        /// What is the case, such as `6 layers, 8 heads`.
        public var value: String

        /// Creates a detail.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The family, such as `Whisper`.
    public var family: String
    /// Where the model came from and how it is stored.
    public var source: ModelSource
    /// The numbers it computes with.
    public var precision: Precision
    /// How many threads work on one transcription.
    public var threads: Int
    /// The number of weights.
    public var parameterCount: Int
    /// The codes of the languages it knows, such as `en`.
    public var languages: [String]
    /// What it can do with speech.
    public var tasks: Set<TranscriptionTask>
    /// What else there is to know of a model of its family.
    public var details: [Detail]

    /// Creates a description.
    public init(
        family: String, source: ModelSource, precision: Precision, threads: Int, parameterCount: Int,
        languages: [String], tasks: Set<TranscriptionTask> = [.transcribe], details: [Detail] = []
    ) {
        self.family = family
        self.source = source
        self.precision = precision
        self.threads = threads
        self.parameterCount = parameterCount
        self.languages = languages
        self.tasks = tasks
        self.details = details
    }
}
