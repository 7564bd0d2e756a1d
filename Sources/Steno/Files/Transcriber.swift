public import Foundation
public import StenoCore

/// Transcribes recordings and live audio with a loaded model.
///
///     let transcriber = try await Transcriber.load(.bundled)
///     let transcript = try await transcriber.transcribe(file: talk)
///     print(transcript.text)
///
/// Several calls may run at once: they share only the model's weights. Each runs on its own thread, never on Swift's
/// cooperative pool. Cancelling the task stops the call within one token, and the call throws `CancellationError`.
/// Every other error is a ``StenoError`` with a message for the user.
public final class Transcriber: Sendable {
    /// Reports progress in the order of the recording; called on the thread of the transcription.
    package typealias Progress = @Sendable (TranscriptionProgressEvent) -> Void
    /// Opens the audio; called on the thread of the transcription, so the source never leaves that thread.
    package typealias SourceOpener = @Sendable () throws -> any SampleSource

    package let model: any SpeechModel
    let limit: CallLimit

    /// The model's properties, such as the languages it supports.
    public var information: SpeechModelInformation { model.information }

    package init(model: any SpeechModel, maximumConcurrentCalls: Int? = nil) {
        self.model = model
        limit = CallLimit(maximumConcurrentCalls)
    }

    /// Loads a model.
    ///
    /// - Parameters:
    ///   - model: The model; see ``ModelChoice``.
    ///   - precision: The numeric precision; `automatic` is int8.
    ///   - threads: The number of threads per call; nil for one per core that the CPU quota allows.
    ///   - maximumConcurrentCalls: How many calls for files, data and samples run at the same time, 1 or more. Others
    ///     wait and can be cancelled while they do. Each call needs memory: about 60 MB with Whisper base. Nil sets no
    ///     limit. Live transcription is not limited.
    /// - Throws: ``StenoError``: `modelNotFound`, `modelDamaged`, `modelUnsupported`, `invalidOption`, `outOfMemory`;
    ///   `CancellationError` soon after the task is cancelled.
    public static func load(
        _ model: ModelChoice = .automatic, precision: Precision = .automatic, threads: Int? = nil,
        maximumConcurrentCalls: Int? = nil
    ) async throws -> Transcriber {
        guard maximumConcurrentCalls ?? 1 >= 1 else {
            throw StenoError(.invalidOption, "The number of concurrent calls must be at least 1.")
        }
        let model = try await Worker.run("steno.load") { flag in
            try model.measureIfNeeded { flag.isCancelled }
            let folder = try model.locate().folder
            return try ModelFamily.load(
                folder, precision: precision, threads: threads, isCancelled: { flag.isCancelled })
        }
        return Transcriber(model: model, maximumConcurrentCalls: maximumConcurrentCalls)
    }

    package static func load(
        _ folder: URL, precision: Precision = .automatic, threads: Int? = nil
    ) async throws -> Transcriber {
        try await load(.folder(folder), precision: precision, threads: threads)
    }

    // MARK: Transcribing

    /// Transcribes a file.
    ///
    /// ``events(file:options:)`` also reports segments and progress.
    ///
    /// - Parameters:
    ///   - file: A local audio or video file; a named pipe is read to its end.
    ///   - options: The options; those that the model does not support throw.
    /// - Throws: ``StenoError``: `audioNotFound`, `notAudio`, `audioDamaged`, `audioUnreadable`, `decoderMissing`,
    ///   `invalidOption`, `unknownLanguage`, `outOfMemory`; `CancellationError`.
    public func transcribe(
        file: URL, options: TranscriptionOptions = TranscriptionOptions()
    ) async throws -> Transcript {
        try await transcribe(options: options) { try AudioFile.open(file) }
    }

    /// Transcribes the bytes of a file of any supported format, such as an upload.
    ///
    /// - Throws: As ``transcribe(file:options:)`` does; messages call the audio “the data”.
    public func transcribe(
        data: Data, options: TranscriptionOptions = TranscriptionOptions()
    ) async throws -> Transcript {
        try await transcribe(options: options) { try AudioFile.open(data: data) }
    }

    /// Transcribes samples from −1 to 1.
    ///
    /// - Parameters:
    ///   - samples: Interleaved: the first sample of every channel, then the second of every channel.
    ///   - sampleRate: Frames per second, 1,000 to 768,000; rates other than 16,000 are resampled.
    ///   - channels: Samples per frame, 1 to 256; they are averaged.
    /// - Throws: `StenoError.invalidOption` for impossible rates, channels or counts, and for samples that are not
    ///   finite numbers; otherwise as ``transcribe(file:options:)`` does.
    public func transcribe(
        samples: [Float], sampleRate: Int = 16_000, channels: Int = 1,
        options: TranscriptionOptions = TranscriptionOptions()
    ) async throws -> Transcript {
        try await transcribe(options: options) {
            try AudioSamples(samples, sampleRate: sampleRate, channels: channels).source()
        }
    }

    /// Transcribes any other audio, such as a pipe.
    ///
    /// - Parameter open: Opens the audio. It is called on the transcription's thread, and the source stays on that
    ///   thread.
    /// - Throws: What `open` throws; otherwise as ``transcribe(file:options:)`` does.
    public func transcribe(
        options: TranscriptionOptions = TranscriptionOptions(),
        from open: @escaping @Sendable () throws -> any SampleSource
    ) async throws -> Transcript {
        try await transcribe(options: options, progress: nil, from: open)
    }

    package func transcribe(
        file: URL, options: TranscriptionOptions = TranscriptionOptions(), progress: Progress?
    ) async throws -> Transcript {
        try await transcribe(options: options, progress: progress) { try AudioFile.open(file) }
    }

    package func transcribe(
        options: TranscriptionOptions = TranscriptionOptions(), progress: Progress?,
        from open: @escaping SourceOpener
    ) async throws -> Transcript {
        try await call("steno.decode") { [model, options] flag in
            try model.transcribe(
                labelling: try flag.open(open), options, isCancelled: { flag.isCancelled },
                onEvent: { progress?($0) })
        }
    }

    /// Transcribes recordings as they arrive, until the feed ends; the whole feed counts as one call.
    ///
    /// With channels, those of a recording are transcribed separately, such as the two sides of a call: the segments of
    /// all are in one timeline, and ``Segment/speaker`` is “Channel 1”, “Channel 2” and so on. Crosstalk between the
    /// microphones appears once.
    ///
    /// - Parameters:
    ///   - lanes: The maximum number of recordings or channels decoded at once; it does not change the transcripts.
    ///   - options: The options that the memory is allocated for; each recording has its own.
    ///   - channels: Opens a channel, if they are transcribed separately; the openers of the feed are then not used. A
    ///     recording that can be read only once fails.
    ///   - onEvent: Receives each recording's number and its events, of which its result is the last, on the thread that
    ///     decodes: while it blocks, nothing is decoded.
    /// - Throws: `StenoError` for options that the model cannot run, what the feed throws, `CancellationError`.
    package func transcribe(
        _ feed: any RecordingFeed, lanes: Int = 1, options: TranscriptionOptions, channels: ChannelOpener? = nil,
        onEvent: @escaping @Sendable (Int, RecordingEvent) -> Void
    ) async throws {
        try await call("steno.decode") { [model, options] flag in
            flag.whenCancelled { feed.stop() }
            // Files opened on this thread are interrupted with this work.
            try CancellationFlag.$current.withValue(flag) {
                guard let channels else {
                    return try model.transcribe(
                        labelling: feed, lanes: lanes, options, isCancelled: { flag.isCancelled }, onEvent: onEvent)
                }
                let feed = ChannelFeed(feed, open: channels, onEvent: onEvent)
                try model.transcribe(
                    feed, lanes: lanes, options.withWords, isCancelled: { flag.isCancelled }, onEvent: feed.take)
            }
        }
    }

    func call<Value: Sendable>(
        _ name: String, _ work: @escaping @Sendable (CancellationFlag) throws -> Value
    ) async throws -> Value {
        try await limit.acquire()
        defer { limit.release() }
        return try await Worker.run(name) { flag in try MemoryUse.during { try work(flag) } }
    }
}

extension CancellationFlag {
    /// Opens audio so that cancellation interrupts opening it and later reads, which may block (on the writer of a
    /// pipe, on ffmpeg).
    package func open(_ opener: Transcriber.SourceOpener) throws -> any SampleSource {
        let source = try Self.$current.withValue(self) { try opener() }
        // A file opened elsewhere is not connected to the flag of this work.
        if let file = source as? AudioFile { interrupt(file.interruption) }
        return source
    }
}

extension Transcriber {
    /// Detects the language spoken at the start of a file (its first 30 seconds).
    ///
    /// With the option `languageDetectionSegments`, more windows are used until one exceeds the
    /// `languageDetectionThreshold`. Voice activity, clips and the chunk length select the audio. Other options are ignored.
    ///
    /// - Throws: As ``transcribe(file:options:)`` does, and `noSpeech` for empty audio and digital silence.
    public func detectLanguage(
        file: URL, options: TranscriptionOptions = TranscriptionOptions()
    ) async throws -> LanguageDetection {
        try await detectLanguage(options: options) { try AudioFile.open(file) }
    }

    package func detectLanguage(
        options: TranscriptionOptions = TranscriptionOptions(), from open: @escaping SourceOpener
    ) async throws -> LanguageDetection {
        try await call("steno.detect") { [model, options] flag in
            try model.detectLanguage(try flag.open(open), options, isCancelled: { flag.isCancelled })
        }
    }

    /// Translates the speech in a file into English; the task of `options` is ignored.
    ///
    /// For other audio, set the task of the options to `translate`.
    ///
    /// - Throws: As ``transcribe(file:options:)`` does.
    public func translate(
        file: URL, options: TranscriptionOptions = TranscriptionOptions()
    ) async throws -> Transcript {
        var options = options
        options.task = .translate
        return try await transcribe(file: file, options: options)
    }
}
