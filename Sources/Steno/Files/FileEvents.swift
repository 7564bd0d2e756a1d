public import Foundation
public import StenoCore

/// The events of the transcription of a recording; the last one has the transcript.
///
///     for try await event in transcriber.events(file: talk) {
///         if let segment = event.segment { print(segment.text) }
///     }
///
/// Each loop starts its own transcription. It does not wait for the reader: unread events are buffered without limit,
/// but an hour of speech takes only a few hundred kilobytes. Leaving the loop or cancelling the task stops the work
/// within one token; after cancelling, the loop throws `CancellationError`.
public struct FileEvents: AsyncSequence, Sendable {
    /// Iterates over the events.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var base: WorkerIterator<FileEvent>

        /// The next event, or nil after the transcript.
        public mutating func next() async throws -> FileEvent? { try await base.next() }
    }

    fileprivate let transcriber: Transcriber
    fileprivate let options: TranscriptionOptions
    fileprivate let open: Transcriber.SourceOpener

    /// Starts the work.
    public func makeAsyncIterator() -> AsyncIterator {
        let base = WorkerIterator<FileEvent>("steno.decode", limit: transcriber.limit) {
            [model = transcriber.model, options, open] flag, give in
            var writer = FileEventWriter { ProcessInfo.processInfo.systemUptime }
            let source = try flag.open(open)
            writer.events(duration: (source as? AudioFile)?.duration).forEach(give)
            let transcript = try model.transcribe(
                labelling: source, options, isCancelled: { flag.isCancelled },
                onEvent: { writer.events(for: $0).forEach(give) })
            writer.end(transcript).forEach(give)
        }
        return AsyncIterator(base: base)
    }
}

extension Transcriber {
    /// Transcribes a file and reports the language, the progress, each segment and finally the transcript.
    public func events(file: URL, options: TranscriptionOptions = TranscriptionOptions()) -> FileEvents {
        events(options: options) { try AudioFile.open(file) }
    }

    /// Transcribes any other audio and reports its progress, like ``events(file:options:)``.
    package func events(
        options: TranscriptionOptions = TranscriptionOptions(), from open: @escaping SourceOpener
    ) -> FileEvents {
        FileEvents(transcriber: self, options: options, open: open)
    }
}
