public import Foundation
public import StenoCore

/// Transcribes recordings with a loaded model of any family.
///
///     let transcriber = try await Transcriber.load(modelFolder)
///     let transcript = try await transcriber.transcribe(file: talk)
///     print(transcript.text)
///
/// Several calls may run at once: they share the model's weights and nothing else. Each runs on its own thread, never
/// on Swift's cooperative pool. Cancelling the task that waits for a call stops it within one token, and the call
/// throws `CancellationError`. Every other error is a ``StenoError`` with a message for the user.
public final class Transcriber: Sendable {
    /// Reports progress in the order of the recording; called on the thread of the transcription.
    public typealias Progress = @Sendable (TranscriptionProgressEvent) -> Void
    /// Opens the audio; called on the thread of the transcription, so the source never leaves that thread.
    public typealias SourceOpener = @Sendable () throws -> any SampleSource

    /// The model every call uses.
    public let model: any SpeechModel

    /// Creates a transcriber with a model that is already loaded.
    public init(model: any SpeechModel) { self.model = model }

    /// Loads a model folder.
    ///
    /// - Parameters:
    ///   - folder: A folder in CTranslate2 format, as ``ModelLocator`` finds them.
    ///   - precision: The numeric precision; `automatic` is the fastest that does not change the WER.
    ///   - threads: The number of threads of a call; nil is one per processor core.
    /// - Throws: ``StenoError`` when the folder holds no supported model; `CancellationError` soon after the task was
    ///   cancelled.
    public static func load(
        _ folder: URL, precision: Precision = .automatic, threads: Int? = nil
    ) async throws -> Transcriber {
        let model = try await Worker.run("steno.load") { flag in
            try ModelFamily.load(folder, precision: precision, threads: threads, isCancelled: { flag.isCancelled })
        }
        return Transcriber(model: model)
    }

    /// Transcribes a file.
    public func transcribe(
        file: URL, options: some TranscriptionOptions = TranscriptionRequest(), progress: Progress? = nil
    ) async throws -> Transcript {
        try await transcribe(options: options, progress: progress) { try AudioFile.open(file) }
    }

    /// Transcribes samples at 16 kHz, mono, from −1 to 1.
    public func transcribe(
        samples: [Float], options: some TranscriptionOptions = TranscriptionRequest(), progress: Progress? = nil
    ) async throws -> Transcript {
        try await transcribe(options: options, progress: progress) { ArraySampleSource(samples) }
    }

    /// Transcribes any other audio, such as a pipe.
    public func transcribe(
        options: some TranscriptionOptions = TranscriptionRequest(), progress: Progress? = nil,
        from open: @escaping SourceOpener
    ) async throws -> Transcript {
        try await Worker.run("steno.decode") { [model, request = options.request] flag in
            try model.transcribe(
                try flag.open(open), options: request, isCancelled: { flag.isCancelled }, onEvent: { progress?($0) })
        }
    }
}

extension CancellationFlag {
    /// Opens audio so that cancellation interrupts opening it and later reads, which may block (on the writer of a pipe,
    /// on ffmpeg).
    package func open(_ opener: Transcriber.SourceOpener) throws -> any SampleSource {
        let source = try Self.$current.withValue(self) { try opener() }
        // A file opened elsewhere is not connected to the flag of this work.
        if let file = source as? AudioFile { interrupt(file.interruption) }
        return source
    }
}
