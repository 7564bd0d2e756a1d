public import Foundation
import Steno

/// A loaded model, which transcribes recordings and provides the parts for an ``AudioStreamTranscriber``.
///
///     let whisperKit = try await WhisperKit(WhisperKitConfig(model: "base"))
///     let results = try await whisperKit.transcribe(audioPath: "talk.m4a")
///     print(results.map(\.text).joined(separator: " "))
///
/// Several tasks may call it at once: they share only the model. Cancelling the task stops the call with
/// `CancellationError`.
public final class WhisperKit: Sendable {
    /// The rate of all samples, in Hz.
    public static let sampleRate = 16_000

    /// The part that encodes audio.
    public let audioEncoder: any AudioEncoding
    /// The part that computes the log-mel spectrogram.
    public let featureExtractor: any FeatureExtracting
    /// The part that divides text into segments.
    public let segmentSeeker: any SegmentSeeking
    /// The part that decodes text.
    public let textDecoder: any TextDecoding
    /// The tokenizer; nil before the model is first loaded, and for models without a Whisper tokenizer.
    public var tokenizer: (any WhisperTokenizer)? { model.tokenizer }
    /// The audio source of an ``AudioStreamTranscriber``.
    public var audioProcessor: any AudioProcessing {
        get { settings.read { $0.processor } }
        set { settings.update { $0.processor = newValue } }
    }
    /// Receives the segments of recordings as they are decoded, if a call has no `segmentCallback`.
    public var segmentDiscoveryCallback: SegmentDiscoveryCallback? {
        get { settings.read { $0.segmentCallback } }
        set { settings.update { $0.segmentCallback = newValue } }
    }
    /// The folder of the model; nil until it is known.
    ///
    /// Setting it selects the model to load next.
    public var modelFolder: URL? {
        get { model.folder }
        set { model.folder = newValue }
    }

    let model: ModelSlot
    private let settings: Monitor<Settings>

    /// What can change during use.
    private struct Settings: Sendable {
        var processor: any AudioProcessing
        var segmentCallback: SegmentDiscoveryCallback?
    }

    /// Loads a model, after downloading it if necessary; only later if ``WhisperKitConfig/load`` is false.
    ///
    /// - Throws: ``WhisperError/modelsUnavailable(_:)``, which says how to install the model; `CancellationError`.
    public convenience init(_ config: WhisperKitConfig = WhisperKitConfig()) async throws {
        let home = URL(fileURLWithPath: NSHomeDirectory())
        let model = ModelSlot(folder: config.modelFolder.map { $0.fileURL(home: home) }) { folder in
            var config = config
            config.modelFolder = folder?.path ?? config.modelFolder
            let found = try await ModelFinder.current.folder(config) { _ in }
            return (try await Transcriber.load(.folder(found)), found)
        }
        if config.load != false { _ = try await model.loaded() }
        self.init(model, audioProcessor: config.audioProcessor)
    }

    /// Loads a model, after downloading it if necessary; the parameters are those of ``WhisperKitConfig``.
    ///
    /// - Throws: As ``init(_:)`` does.
    public convenience init(
        model: String? = nil, downloadBase: URL? = nil, modelRepo: String? = nil, modelFolder: String? = nil,
        tokenizerFolder: URL? = nil, audioProcessor: (any AudioProcessing)? = nil, verbose: Bool = true,
        logLevel: Logging.LogLevel = .info, prewarm: Bool? = nil, load: Bool? = nil, download: Bool = true
    ) async throws {
        try await self.init(
            WhisperKitConfig(
                model: model, downloadBase: downloadBase, modelRepo: modelRepo, modelFolder: modelFolder,
                tokenizerFolder: tokenizerFolder, audioProcessor: audioProcessor, verbose: verbose, logLevel: logLevel,
                prewarm: prewarm, load: load, download: download))
    }

    init(_ model: ModelSlot, audioProcessor: (any AudioProcessing)? = nil) {
        self.model = model
        let component = ModelComponent(model: model)
        audioEncoder = component
        featureExtractor = component
        segmentSeeker = component
        textDecoder = component
        settings = Monitor(Settings(processor: audioProcessor ?? AudioProcessor()))
    }

    /// Transcribes a file of any format that Steno reads.
    ///
    /// - Parameters:
    ///   - audioPath: The path, which may begin with `~`.
    ///   - decodeOptions: The options; nil for the defaults.
    ///   - callback: Receives the progress.
    /// - Returns: One result.
    /// - Throws: ``WhisperError``: `loadAudioFailed`, `transcriptionFailed`; `CancellationError`.
    public func transcribe(
        audioPath: String, decodeOptions: DecodingOptions? = nil, callback: TranscriptionCallback? = nil
    ) async throws -> [TranscriptionResult] {
        let file = audioPath.fileURL(home: URL(fileURLWithPath: NSHomeDirectory()))
        let progress = FileProgress(callback, segmentDiscoveryCallback)
        return [try await run(decodeOptions, progress) { try AudioFile.open(file) }]
    }

    /// Transcribes samples: 16 kHz, mono, from −1 to 1.
    ///
    /// - Parameters:
    ///   - audioArray: The samples, any number of them.
    ///   - decodeOptions: The options; nil for the defaults.
    ///   - callback: Receives the progress.
    ///   - segmentCallback: Receives the segments as they are decoded; nil for ``segmentDiscoveryCallback``.
    /// - Returns: One result.
    /// - Throws: ``WhisperError``: `audioProcessingFailed` if samples are not finite numbers, `transcriptionFailed`;
    ///   `CancellationError`.
    public func transcribe(
        audioArray: [Float], decodeOptions: DecodingOptions? = nil, callback: TranscriptionCallback? = nil,
        segmentCallback: SegmentDiscoveryCallback? = nil
    ) async throws -> [TranscriptionResult] {
        guard audioArray.allSatisfy(\.isFinite) else {
            throw WhisperError.audioProcessingFailed(
                "Some samples are not finite numbers. Samples must be from −1 to 1.")
        }
        return [
            try await run(decodeOptions, FileProgress(callback, segmentCallback ?? segmentDiscoveryCallback)) {
                try AudioSamples(audioArray, sampleRate: Self.sampleRate, channels: 1).source()
            }
        ]
    }

    /// Transcribes a file, for code that expects one result instead of a list.
    @_disfavoredOverload
    public func transcribe(
        audioPath: String, decodeOptions: DecodingOptions? = nil, callback: TranscriptionCallback? = nil
    ) async throws -> TranscriptionResult? {
        try await transcribe(audioPath: audioPath, decodeOptions: decodeOptions, callback: callback).first
    }

    private func run(
        _ options: DecodingOptions?, _ progress: FileProgress, _ open: @escaping Transcriber.SourceOpener
    ) async throws -> TranscriptionResult {
        let transcriber = try await model.loaded()
        let options = (options ?? DecodingOptions()).core(tokenizer)
        progress.begin(tokenizer)
        let work = Task { try await transcriber.transcribe(options: options, progress: progress.apply, from: open) }
        progress.whenStopped(work.cancel)
        return try await WhisperError.wrapping {
            do {
                return progress.result(try await work.childValue)
            } catch is CancellationError where progress.isStopped {
                return progress.result
            }
        }
    }
}

extension WhisperKit {
    /// Transcribes files, one after the other.
    ///
    /// - Parameters:
    ///   - audioPaths: The paths.
    ///   - decodeOptions: The options; nil for the defaults.
    ///   - callback: Receives the progress of each.
    /// - Returns: The results of each file, in order; nil for a file that failed.
    public func transcribe(
        audioPaths: [String], decodeOptions: DecodingOptions? = nil, callback: TranscriptionCallback? = nil
    ) async -> [[TranscriptionResult]?] {
        await transcribeWithResults(audioPaths: audioPaths, decodeOptions: decodeOptions, callback: callback)
            .map { try? $0.get() }
    }

    /// Transcribes files one after the other, and reports why one failed.
    ///
    /// - Returns: The results of each file, in order, or the error that
    ///   ``transcribe(audioPath:decodeOptions:callback:)`` threw.
    public func transcribeWithResults(
        audioPaths: [String], decodeOptions: DecodingOptions? = nil, callback: TranscriptionCallback? = nil
    ) async -> [Result<[TranscriptionResult], any Error>] {
        await each(audioPaths) {
            try await self.transcribe(audioPath: $0, decodeOptions: decodeOptions, callback: callback)
        }
    }

    /// Transcribes recordings in memory, one after the other.
    ///
    /// - Returns: The results of each, in order; nil for one that failed.
    public func transcribe(
        audioArrays: [[Float]], decodeOptions: DecodingOptions? = nil, callback: TranscriptionCallback? = nil
    ) async -> [[TranscriptionResult]?] {
        await transcribeWithResults(audioArrays: audioArrays, decodeOptions: decodeOptions, callback: callback)
            .map { try? $0.get() }
    }

    /// Transcribes recordings in memory one after the other, and reports why one failed.
    ///
    /// - Returns: The results of each, in order, or the error that
    ///   ``transcribe(audioArray:decodeOptions:callback:segmentCallback:)`` threw.
    public func transcribeWithResults(
        audioArrays: [[Float]], decodeOptions: DecodingOptions? = nil, callback: TranscriptionCallback? = nil
    ) async -> [Result<[TranscriptionResult], any Error>] {
        await each(audioArrays) {
            try await self.transcribe(audioArray: $0, decodeOptions: decodeOptions, callback: callback)
        }
    }

    private func each<Recording>(
        _ recordings: [Recording], _ transcribe: (Recording) async throws -> [TranscriptionResult]
    ) async -> [Result<[TranscriptionResult], any Error>] {
        var results: [Result<[TranscriptionResult], any Error>] = []
        for recording in recordings {
            do { results.append(.success(try await transcribe(recording))) } catch { results.append(.failure(error)) }
        }
        return results
    }
}

extension WhisperKit {
    /// Detects the language at the start of a file.
    ///
    /// - Returns: The code of the most probable language, and the natural logarithm of every language's probability;
    ///   `en` and no probabilities from an English-only model.
    /// - Throws: ``WhisperError``: `loadAudioFailed`, `transcriptionFailed` (also for silence); `CancellationError`.
    public func detectLanguage(audioPath: String) async throws -> (language: String, langProbs: [String: Float]) {
        let file = audioPath.fileURL(home: URL(fileURLWithPath: NSHomeDirectory()))
        return try await detect { try AudioFile.open(file) }
    }

    /// Detects the language at the start of samples: 16 kHz, mono, from −1 to 1.
    ///
    /// - Returns: As ``detectLanguage(audioPath:)`` does.
    /// - Throws: ``WhisperError``: `audioProcessingFailed`, `transcriptionFailed`; `CancellationError`.
    public func detectLanguage(audioArray: [Float]) async throws -> (language: String, langProbs: [String: Float]) {
        guard audioArray.allSatisfy(\.isFinite) else {
            throw WhisperError.audioProcessingFailed(
                "Some samples are not finite numbers. Samples must be from −1 to 1.")
        }
        return try await detect { try AudioSamples(audioArray, sampleRate: Self.sampleRate, channels: 1).source() }
    }

    /// ``detectLanguage(audioArray:)``, spelled as in WhisperKit.
    public func detectLangauge(audioArray: [Float]) async throws -> (language: String, langProbs: [String: Float]) {
        try await detectLanguage(audioArray: audioArray)
    }

    private func detect(
        _ open: @escaping Transcriber.SourceOpener
    ) async throws -> (language: String, langProbs: [String: Float]) {
        try await WhisperError.wrapping {
            let detection = try await model.loaded().detectLanguage(from: open)
            return (detection.language, detection.probabilities.mapValues { Float(log($0)) })
        }
    }
}
