/// A speech recognition model of any family: audio in, text with times out.
///
/// A model is immutable after loading, so any number of transcriptions can share it; each has its own state. Its
/// methods block the calling thread while they compute, and must not be called on Swift's cooperative pool.
///
/// Nothing here has a default, so that what stands between a model and its callers cannot miss anything. A family that
/// decodes one recording after the other is a ``SequentialModel``.
package protocol SpeechModel: AnyObject, Sendable {
    /// Opens a recording, on the thread that reads it.
    typealias AudioOpener = () throws -> any SampleSource

    /// The model's properties and capabilities.
    var information: SpeechModelInformation { get }

    /// Throws if this model cannot transcribe with these options, or does not have one of them
    /// (``TranscriptionOptions/check(for:)``).
    ///
    /// - Throws: ``StenoError``: `invalidOption`, `unknownLanguage`.
    func check(_ options: TranscriptionOptions) throws

    /// Transcribes recordings, several at once if the options allow it.
    ///
    /// - Parameters:
    ///   - recordings: Open each recording; called in order, when there is room for it.
    ///   - isCancelled: Called at every token or layer, on the calling thread; returning true cancels the work.
    ///   - onEvent: Receives the events of each recording in order, with the recording's index.
    ///   - onEnd: Receives each recording's transcript, or its error; the other recordings continue.
    /// - Throws: ``StenoError``: `cancelled`, or what ``check(_:)`` throws.
    func transcribe(
        _ recordings: [AudioOpener], _ options: TranscriptionOptions, isCancelled: @escaping () -> Bool,
        onEvent: @escaping (Int, TranscriptionProgressEvent) -> Void,
        onEnd: @escaping (Int, Result<Transcript, any Error>) -> Void
    ) throws

    /// Transcribes recordings as they come, until the feed ends.
    ///
    /// - Parameters:
    ///   - lanes: The maximum number of recordings decoded at once. It changes no transcript: each recording is decoded
    ///     as it would be alone.
    ///   - options: The options that the memory is allocated for. Those of a recording may differ in what takes no more
    ///     memory, such as the language.
    ///   - onEnd: Receives each recording's result, in the order in which they end; the other recordings continue.
    /// - Throws: ``StenoError``: `cancelled`, or what ``check(_:)`` throws; what `feed` throws.
    func transcribe(
        _ feed: any RecordingFeed, lanes: Int, _ options: TranscriptionOptions, isCancelled: @escaping () -> Bool,
        onEnd: @escaping (FedResult) -> Void
    ) throws

    /// Detects the language spoken at the start of a recording.
    func detectLanguage(
        _ source: any SampleSource, _ options: TranscriptionOptions, isCancelled: @escaping () -> Bool
    ) throws -> LanguageDetection

    /// Creates a decoder for live audio, with all of its memory allocated.
    ///
    /// - Throws: ``StenoError`` of code `invalidOption` for options that the model does not have.
    func makeLiveDecoder(_ options: LiveDecoderOptions) throws -> LiveDecoder

    /// Measures the seconds of decoding for a second of speech, with half a minute that has a text of usual length.
    ///
    /// - Throws: ``StenoError``: `cancelled`, `outOfMemory`.
    func measureRealTimeFactor(isCancelled: @escaping () -> Bool) throws -> Double
}

extension SpeechModel {
    /// Transcribes one recording to its end.
    package func transcribe(
        _ source: any SampleSource, options: TranscriptionOptions = TranscriptionOptions(),
        isCancelled: @escaping () -> Bool = { false },
        onEvent: @escaping (TranscriptionProgressEvent) -> Void = { _ in }
    ) throws -> Transcript {
        var result: Result<Transcript, any Error>?
        try transcribe(
            [{ source }], options, isCancelled: isCancelled, onEvent: { onEvent($1) }, onEnd: { result = $1 })
        guard let result else { throw StenoError(.cancelled, "The transcription was cancelled.") }
        return try result.get()
    }
}

/// The properties and capabilities of a model of any family.
public struct SpeechModelInformation: Sendable, Hashable {
    /// A property specific to one family, as text.
    package struct Detail: Sendable, Hashable {
        /// The property's name, such as `encoder`.
        package var name: String
        /// Its value, such as `6 layers, 8 heads`.
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The family, such as `Whisper`.
    public var family: String
    /// Where the model came from and how it is stored.
    package var source: ModelSource
    /// The precision in which it computes.
    public var precision: Precision
    /// The number of threads per transcription.
    package var threads: Int
    /// The number of weights.
    package var parameterCount: Int
    /// The codes of the languages it supports, such as `en`.
    public var languages: [String]
    /// The tasks it supports.
    public var tasks: Set<TranscriptionTask>
    /// The options that it takes of those that not every model has.
    package var options: Set<TranscriptionOptions.Name>
    /// Further properties, specific to its family.
    package var details: [Detail]

    package init(
        family: String, source: ModelSource, precision: Precision, threads: Int, parameterCount: Int,
        languages: [String], tasks: Set<TranscriptionTask> = [.transcribe],
        options: Set<TranscriptionOptions.Name>, details: [Detail] = []
    ) {
        self.family = family
        self.source = source
        self.precision = precision
        self.threads = threads
        self.parameterCount = parameterCount
        self.languages = languages
        self.tasks = tasks
        self.options = options
        self.details = details
    }
}
