/// A speech recognition model of any family: audio in, text with times out.
///
/// A model is immutable after loading, so any number of transcriptions can share it; each has its own state. Its
/// methods block the calling thread while they compute, and must not be called on Swift's cooperative pool.
///
/// No requirement has a default, so that a wrapper around a model cannot forget one. A family that decodes one
/// recording at a time is a ``SequentialModel``.
package protocol SpeechModel: AnyObject, Sendable {
    /// Opens a recording, on the thread that reads it.
    typealias AudioOpener = () throws -> any SampleSource

    /// The model's properties and capabilities.
    var information: SpeechModelInformation { get }

    /// Throws if this model does not support these options (``TranscriptionOptions/check(for:)``) or cannot transcribe
    /// with them.
    ///
    /// - Throws: ``StenoError``: `invalidOption`, `unknownLanguage`.
    func check(_ options: TranscriptionOptions) throws

    /// Transcribes recordings as they come, on the calling thread, until the feed ends.
    ///
    /// - Parameters:
    ///   - feed: Asked for a recording when there is room for it.
    ///   - lanes: The maximum number of recordings decoded at once without batches. It never changes a transcript: each
    ///     recording is decoded as if it were the only one.
    ///   - options: The options to allocate memory for. A recording's own options may differ if they need no more
    ///     memory, for example in the language.
    ///   - isCancelled: Called at every token or layer, on the calling thread; returning true cancels the work.
    ///   - onEvent: Receives each recording's number and its events in order, on the calling thread. The last one is its
    ///     result: a recording that fails does not stop the others.
    /// - Throws: ``StenoError``: `cancelled`, or what ``check(_:)`` throws; what `feed` throws.
    func transcribe(
        _ feed: any RecordingFeed, lanes: Int, _ options: TranscriptionOptions, isCancelled: @escaping () -> Bool,
        onEvent: @escaping (Int, RecordingEvent) -> Void
    ) throws

    func detectLanguage(
        _ source: any SampleSource, _ options: TranscriptionOptions, isCancelled: @escaping () -> Bool
    ) throws -> LanguageDetection

    /// Creates a decoder for live audio, with all of its memory allocated.
    ///
    /// - Throws: ``StenoError`` of code `invalidOption` for options that the model does not support.
    func makeLiveDecoder(_ options: LiveDecoderOptions) throws -> LiveDecoder

    /// Measures the decoding time per second of speech, on half a minute with a text of typical length.
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
        var result: FedResult?
        try transcribe(ArrayFeed([{ source }], options), lanes: 1, options, isCancelled: isCancelled) { _, event in
            switch event {
            case .progress(let event): onEvent(event)
            case .result(let found): result = found
            }
        }
        guard let result else { throw StenoError(.cancelled, "The transcription was cancelled.") }
        return try result.transcript.get()
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

        package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
    }

    /// The family, such as `Whisper`.
    public var family: String
    package var source: ModelSource
    /// The precision in which it computes.
    public var precision: Precision
    /// The number of threads per transcription.
    package var threads: Int
    package var parameterCount: Int
    /// The codes of the languages it supports, such as `en`.
    public var languages: [String]
    /// The tasks it supports.
    public var tasks: Set<TranscriptionTask>
    /// The options it supports, among those that some models do not.
    package var options: Set<TranscriptionOptions.Name>
    /// Whether it always decodes only the speech in audio, which it finds by voice activity detection.
    package var findsSpeech: Bool
    package var details: [Detail]

    package init(
        family: String, source: ModelSource, precision: Precision, threads: Int, parameterCount: Int,
        languages: [String], tasks: Set<TranscriptionTask> = [.transcribe],
        options: Set<TranscriptionOptions.Name>, findsSpeech: Bool = false, details: [Detail] = []
    ) {
        (self.family, self.source, self.precision, self.threads) = (family, source, precision, threads)
        (self.parameterCount, self.languages, self.tasks, self.options) = (parameterCount, languages, tasks, options)
        (self.findsSpeech, self.details) = (findsSpeech, details)
    }
}
