public import Foundation
public import StenoCore

/// Turns recordings into text with one loaded model of any family.
///
///     let transcriber = try await Transcriber.load(modelFolder)
///     let transcript = try await transcriber.transcribe(file: talk)
///     print(transcript.text)
///
/// Several calls may run at once: they share the model's weights and nothing else. Each works on a thread of its own,
/// never on Swift's cooperative pool. Cancelling the task that waits for a call stops it within one token, and the call
/// throws `CancellationError`. Every other error is a ``StenoError`` with a sentence for people.
public final class Transcriber: Sendable {
    /// What a call reports while it works, in the order of the recording; called on the call's own thread.
    public typealias Progress = @Sendable (TranscriptionProgressEvent) -> Void
    /// Opens the audio; called on the call's own thread, so what it opens never leaves that thread.
    public typealias SourceOpener = @Sendable () throws -> any SampleSource

    /// The model every call uses.
    public let model: any SpeechModel

    /// Creates a transcriber with a model that is already loaded.
    public init(model: any SpeechModel) { self.model = model }

    /// Loads a model folder.
    ///
    /// - Parameters:
    ///   - folder: A folder in CTranslate2 format, as ``ModelLocator`` finds them.
    ///   - precision: How the weights are computed with; `automatic` is the fastest that keeps the WER.
    ///   - threads: How many threads one call computes on; nil is one for each processor core.
    /// - Throws: ``StenoError`` when the folder holds no model this version can run; `CancellationError` soon after the
    ///   task was cancelled.
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
    /// Opens audio; what may wait (for the writer of a pipe, for ffmpeg) is woken when the work is to stop, be it in
    /// the opening or in a later read.
    package func open(_ opener: Transcriber.SourceOpener) throws -> any SampleSource {
        let source = try Self.$current.withValue(self) { try opener() }
        // A file that was opened elsewhere knows nothing of this work.
        if let file = source as? AudioFile { interrupt(file.interruption) }
        return source
    }
}
