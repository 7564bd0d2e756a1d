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
        fileprivate var base: RecordingResults.AsyncIterator
        fileprivate let files: [URL]

        /// The next transcript, or nil when all files are done.
        public mutating func next() async throws -> FileResult? {
            guard let done = try await base.next() else { return nil }
            return FileResult(index: done.index, file: files[done.index], result: done.result)
        }
    }

    fileprivate let results: RecordingResults
    fileprivate let files: [URL]

    /// Starts decoding.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: results.makeAsyncIterator(), files: files)
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
        let results = transcripts(options: options, from: files.map { file in { try AudioFile.open(file) } })
        return TranscriptSequence(results: results, files: files)
    }
}
