public import Foundation
public import StenoCore

/// The transcripts of several files, each as soon as it is finished.
///
///     for try await done in transcriber.transcripts(files: talks, options: options) {
///         print(done.file.lastPathComponent, try done.result.get().text)
///     }
///
/// Each loop starts its own decoding, which does not wait for the reader. Leaving the loop or cancelling the task stops
/// it within one token; after cancelling, the loop throws `CancellationError`.
public struct TranscriptSequence: AsyncSequence, Sendable {
    /// Iterates over the transcripts.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var base: WorkerIterator<FileResult>

        /// The next transcript, or nil when all files are done.
        public mutating func next() async throws -> FileResult? { try await base.next() }
    }

    fileprivate let transcriber: Transcriber
    fileprivate let files: [URL]
    fileprivate let options: TranscriptionOptions
    fileprivate let open: @Sendable (URL) throws -> any SampleSource

    /// Starts decoding.
    public func makeAsyncIterator() -> AsyncIterator {
        let base = WorkerIterator<FileResult>("steno.decode", limit: transcriber.limit) {
            [model = transcriber.model, files, options, open] flag, give in
            let feed = ArrayFeed(files.map { file in { try flag.open { try open(file) } } }, options)
            try model.transcribe(labelling: feed, options, isCancelled: { flag.isCancelled }) { index, event in
                guard let result = event.result else { return }
                give(FileResult(index: index, file: files[index], result: result.transcript))
            }
        }
        return AsyncIterator(base: base)
    }
}

/// The result of one of several files.
public struct FileResult: Sendable {
    /// The index of the file in the list.
    public let index: Int
    /// The file.
    public let file: URL
    /// Its transcript, or the ``StenoError`` that prevented it.
    public let result: Result<Transcript, any Error>
}

extension Transcriber {
    /// Transcribes several files, and returns each transcript as soon as it is finished.
    ///
    /// With a `batchSize` above 1, windows of all files are decoded in batches, which is faster; the files then finish
    /// roughly in list order. A file that fails does not stop the others. The whole list counts as one call.
    public func transcripts(
        files: [URL], options: TranscriptionOptions = TranscriptionOptions()
    ) -> TranscriptSequence {
        transcripts(files: files, options: options) { try AudioFile.open($0) }
    }

    package func transcripts(
        files: [URL], options: TranscriptionOptions = TranscriptionOptions(),
        open: @escaping @Sendable (URL) throws -> any SampleSource
    ) -> TranscriptSequence {
        TranscriptSequence(transcriber: self, files: files, options: options, open: open)
    }
}
