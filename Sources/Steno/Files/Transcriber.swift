public import Foundation

/// Turns files and samples into text with one loaded model.
///
///     let transcriber = try await Transcriber.load(modelFolder)
///     let transcript = try await transcriber.transcribe(file: talk)
///     print(transcript.text)
///
/// Several calls may run at once: they share the model's weights and nothing else. Each works on a thread of its own,
/// never on Swift's cooperative pool. Cancelling the task that waits for a call stops it within one token, and the call
/// throws `CancellationError`. Every other error is a ``StenoError`` or a `WhisperError` with a sentence for people.
public final class Transcriber: Sendable {
    /// What a call reports while it works, in the order of the sound; called on the call's own thread.
    public typealias Progress = @Sendable (TranscriptionProgressEvent) -> Void
    /// Opens the sound; called on the call's own thread, so what it opens never leaves that thread.
    public typealias SourceOpener = @Sendable () throws -> any SampleSource

    /// The model every call uses.
    public let model: WhisperModel

    /// Creates a transcriber with a model that is already loaded.
    public init(model: WhisperModel) { self.model = model }

    /// Loads a model folder.
    ///
    /// - Parameters:
    ///   - folder: A folder in CTranslate2's form, as ``ModelLocator`` finds them.
    ///   - precision: How the weights are computed with; `automatic` is the fastest that keeps the word error.
    ///   - threads: How many threads one call computes on; nil is one for each processor core.
    /// - Throws: `WhisperError` when the folder holds no model this version can run.
    public static func load(
        _ folder: URL, precision: Precision = .automatic, threads: Int? = nil
    ) async throws -> Transcriber {
        let model = try await Worker.run("steno.load") { _ in
            try WhisperModel.load(folder: folder, precision: precision, threads: threads)
        }
        return Transcriber(model: model)
    }

    /// Writes down what is said in a file.
    public func transcribe(
        file: URL, options: DecodingOptions = DecodingOptions(), progress: Progress? = nil
    ) async throws -> Transcript {
        try await transcribe(options: options, progress: progress) { try AudioFile.open(file) }
    }

    /// Writes down what is said in samples at 16 kHz, mono, from −1 to 1.
    public func transcribe(
        samples: [Float], options: DecodingOptions = DecodingOptions(), progress: Progress? = nil
    ) async throws -> Transcript {
        try await transcribe(options: options, progress: progress) { ArraySampleSource(samples) }
    }

    /// Writes down what is said in any other sound, such as a pipe.
    public func transcribe(
        options: DecodingOptions = DecodingOptions(), progress: Progress? = nil, from open: @escaping SourceOpener
    ) async throws -> Transcript {
        try await Worker.run("steno.decode") { [model] flag in
            try model.transcribeWithBundledSilero(
                try flag.open(open), options: options, isCancelled: { flag.isCancelled }, onEvent: { progress?($0) })
        }
    }
}
