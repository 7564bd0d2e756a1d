import Foundation
import Steno

/// Transcribes and translates recordings.
///
///     let whisper = SwiftFasterWhisper(modelSize: .base)
///     try await whisper.loadModel()
///     print(try await whisper.transcribe(audioFilePath: "talk.m4a").text)
///
/// Several tasks may call it at once: they share only the model, and no call blocks a thread of Swift's cooperative
/// pool. Cancelling the task stops the call with `CancellationError`.
public final class SwiftFasterWhisper: Sendable {
    private let source: ModelSource
    private let transcriber = Monitor<Transcriber?>(nil)
    private let callback = Monitor<DownloadProgressCallback?>(nil)

    /// Receives the progress of a download, on any thread; set it before ``loadModel()``.
    public var downloadProgressCallback: DownloadProgressCallback? {
        get { callback.current }
        set { callback.current = newValue }
    }

    /// Whether ``loadModel()`` has returned.
    public var isModelLoaded: Bool { transcriber.current != nil }

    /// Creates an instance without loading anything.
    ///
    /// - Parameters:
    ///   - modelPath: The folder of a model, which may begin with `~`; nil selects the model by size.
    ///   - modelSize: The size of the model, which is found or downloaded when it is loaded.
    public init(modelPath: String? = nil, modelSize: WhisperModelSize = .medium) {
        source = modelPath.map(ModelSource.path) ?? .size(modelSize)
    }

    /// Loads the model, after downloading it if necessary; if it is already loaded, this does nothing.
    ///
    /// - Throws: ``RecognitionError``: `invalidModelPath`, `modelLoadFailed`; `CancellationError`.
    public func loadModel() async throws {
        guard !isModelLoaded else { return }
        let loaded = try await source.load(progress: downloadProgressCallback)
        transcriber.update { $0 = $0 ?? loaded }
    }

    /// Transcribes a file of any format that Steno reads.
    ///
    /// - Parameters:
    ///   - audioFilePath: The path, which may begin with `~`.
    ///   - language: The spoken language as a code or an English name; nil detects it.
    /// - Throws: ``RecognitionError``: `modelNotLoaded`, `recognitionFailed`; `CancellationError`.
    public func transcribe(audioFilePath: String, language: String? = nil) async throws -> TranscriptionResult {
        try await run(.transcribe, language, file: audioFilePath)
    }

    /// Transcribes samples: 16 kHz, mono, from −1 to 1.
    ///
    /// - Parameters:
    ///   - audio: The samples, at least one.
    ///   - language: The spoken language as a code or an English name; nil detects it.
    /// - Throws: ``RecognitionError``: `modelNotLoaded`, `invalidAudioData`, `recognitionFailed`; `CancellationError`.
    public func transcribe(audio: [Float], language: String? = nil) async throws -> TranscriptionResult {
        try await run(.transcribe, language, samples: audio)
    }

    /// Translates the speech in a file into English.
    ///
    /// - Parameters:
    ///   - audioFilePath: The path, which may begin with `~`.
    ///   - sourceLanguage: The spoken language as a code or an English name; nil detects it.
    /// - Throws: ``RecognitionError``: `modelNotLoaded`, `translationFailed`; `CancellationError`.
    public func translate(audioFilePath: String, sourceLanguage: String? = nil) async throws -> TranscriptionResult {
        try await run(.translate, sourceLanguage, file: audioFilePath)
    }

    /// Translates the speech in samples (16 kHz, mono, from −1 to 1) into English.
    ///
    /// - Parameters:
    ///   - audio: The samples, at least one.
    ///   - sourceLanguage: The spoken language as a code or an English name; nil detects it.
    /// - Throws: ``RecognitionError``: `modelNotLoaded`, `invalidAudioData`, `translationFailed`; `CancellationError`.
    public func translate(audio: [Float], sourceLanguage: String? = nil) async throws -> TranscriptionResult {
        try await run(.translate, sourceLanguage, samples: audio)
    }

    /// The folder of the model that comes with the program (the product `StenoBundledModel`); nil if there is none.
    public static func bundledModelPath() -> String? { LocatedModel.bundled?.folder.path }

    private func run(
        _ task: TranscriptionTask, _ language: String?, file path: String
    ) async throws -> TranscriptionResult {
        try await run(task, language) { try await $0.transcribe(file: URL(userPath: path), options: $1) }
    }

    private func run(
        _ task: TranscriptionTask, _ language: String?, samples: [Float]
    ) async throws -> TranscriptionResult {
        try await run(task, language) { transcriber, options in
            guard !samples.isEmpty, samples.allSatisfy(\.isFinite) else { throw RecognitionError.invalidAudioData }
            return try await transcriber.transcribe(samples: samples, options: options)
        }
    }

    private func run(
        _ task: TranscriptionTask, _ language: String?,
        _ work: (Transcriber, TranscriptionOptions) async throws -> Transcript
    ) async throws -> TranscriptionResult {
        guard let transcriber = transcriber.current else { throw RecognitionError.modelNotLoaded }
        do {
            return TranscriptionResult(
                try await work(transcriber, TranscriptionOptions(language: language, task: task)))
        } catch let error as StenoError { throw RecognitionError(error, during: task) }
    }
}

/// The transcript or the translation of a recording.
///
/// A recording without speech has no segments and an empty ``text``.
public struct TranscriptionResult: Sendable, Hashable, Codable {
    /// The segments, in order.
    public let segments: [TranscriptionSegment]
    /// The code of the spoken language, such as `en`; `und` if it cannot be detected.
    public let language: String
    /// The probability of the language, from 0 to 1; 1 if the language was given.
    public let languageProbability: Float
    /// The duration of the recording, in seconds.
    public let duration: Float

    /// The whole text.
    public var text: String { segments.map(\.text).joined().trimmingWhitespace }

    /// Creates a result.
    public init(segments: [TranscriptionSegment], language: String, languageProbability: Float, duration: Float) {
        (self.segments, self.language) = (segments, language)
        (self.languageProbability, self.duration) = (languageProbability, duration)
    }

    init(_ transcript: Transcript) {
        self.init(
            segments: transcript.segments.map {
                TranscriptionSegment(text: $0.text, start: Float($0.start), end: Float($0.end))
            },
            language: transcript.language, languageProbability: Float(transcript.languageProbability),
            duration: Float(transcript.duration))
    }
}

/// A piece of text and its times.
public struct TranscriptionSegment: Sendable, Hashable, Codable {
    /// The text as the model writes it, usually with a leading space: the segments concatenated are the whole text.
    public let text: String
    /// When it begins, in seconds from the start of the audio.
    public let start: Float
    /// When it ends, in seconds from the start of the audio.
    public let end: Float

    /// Creates a segment.
    public init(text: String, start: Float, end: Float) { (self.text, self.start, self.end) = (text, start, end) }
}
