public import Foundation
import StenoCore
import StenoVoice

/// The transcripts of several recordings, each as soon as it is finished.
///
///     for try await (number, transcript) in transcriber.transcripts(files: talks, options: options) {
///         print(talks[number].lastPathComponent, try transcript.get().text)
///     }
///
/// Decoding starts with the loop, and once for every loop; it does not wait for the reader. Leaving the loop stops it
/// within one token; so does cancelling the task, and then the loop throws `CancellationError`.
public struct TranscriptSequence: AsyncSequence, Sendable {
    /// The index of the recording in the list, and its transcript or the error: a ``StenoError``.
    public typealias Element = (number: Int, transcript: Result<Transcript, any Error>)

    /// Iterates over the transcripts.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var base: WorkerIterator<Element>

        /// The next transcript, or nil when all recordings are done.
        public mutating func next() async throws -> Element? { try await base.next() }
    }

    fileprivate let transcriber: Transcriber
    fileprivate let request: TranscriptionRequest
    fileprivate let progress: Transcriber.NumberedProgress?
    fileprivate let openers: [Transcriber.SourceOpener]

    /// Starts decoding.
    public func makeAsyncIterator() -> AsyncIterator {
        let base = WorkerIterator<Element>("steno.decode", limit: transcriber.limit) {
            [model = transcriber.model, request, progress, openers] flag, give in
            // The calls are on one thread.
            let speakers = RecordingSpeakers()
            try request.speakers?.validate()
            try model.transcribe(
                openers.enumerated().map { number, opener in
                    { try speakers.listen(to: flag.open(opener), number, request) }
                }, request.withWordsForSpeakers, isCancelled: { flag.isCancelled },
                onEvent: { progress?($0, $1) },
                onEnd: { give((number: $0, transcript: speakers.label($1, $0))) })
        }
        return AsyncIterator(base: base)
    }
}

extension Transcriber {
    /// Reports progress on several recordings: the index of the recording and its event, in the order of that
    /// recording; called on the thread of the transcription.
    package typealias NumberedProgress = @Sendable (Int, TranscriptionProgressEvent) -> Void

    /// Transcribes several files, and returns each transcript when it is finished.
    ///
    /// With a ``DecodingOptions/batchSize`` above 1 their windows are decoded in batches, which is faster; the files
    /// are then finished roughly in the order of the list. A file that fails does not stop the others. All of it counts
    /// as one call.
    public func transcripts(
        files: [URL], options: some TranscriptionOptions = TranscriptionRequest()
    ) -> TranscriptSequence {
        transcripts(options: options, progress: nil, from: files.map { file in { try AudioFile.open(file) } })
    }

    /// Transcribes several recordings of any kind, like ``transcripts(files:options:)``, and reports on the way.
    package func transcripts(
        options: some TranscriptionOptions = TranscriptionRequest(), progress: NumberedProgress? = nil,
        from openers: [SourceOpener]
    ) -> TranscriptSequence {
        TranscriptSequence(transcriber: self, request: options.request, progress: progress, openers: openers)
    }
}
