package import StenoCore
import StenoVoiceActivity

/// The transcripts of several recordings of any kind, each as soon as it is finished.
///
/// Decoding starts with the loop, and once for every loop; it does not wait for the reader. Leaving the loop stops it
/// within one token; so does cancelling the task, and then the loop throws `CancellationError`.
package struct RecordingResults: AsyncSequence, Sendable {
    /// The index of the recording in the list, and its transcript or the error: a ``StenoError``.
    package typealias Element = (index: Int, result: Result<Transcript, any Error>)

    /// Iterates over the transcripts.
    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var base: WorkerIterator<Element>

        /// The next transcript, or nil when all recordings are done.
        package mutating func next() async throws -> Element? { try await base.next() }
    }

    fileprivate let transcriber: Transcriber
    fileprivate let options: TranscriptionOptions
    fileprivate let progress: Transcriber.NumberedProgress?
    fileprivate let openers: [Transcriber.SourceOpener]

    /// Starts decoding.
    package func makeAsyncIterator() -> AsyncIterator {
        let base = WorkerIterator<Element>("steno.decode", limit: transcriber.limit) {
            [model = transcriber.model, options, progress, openers] flag, give in
            try model.transcribe(
                labelling: openers.map { opener in { try flag.open(opener) } }, options,
                isCancelled: { flag.isCancelled }, onEvent: { progress?($0, $1) },
                onEnd: { give((index: $0, result: $1)) })
        }
        return AsyncIterator(base: base)
    }
}

extension SpeechModel {
    /// Transcribes several recordings on the calling thread, and labels their speakers if the options ask for it.
    func transcribe(
        labelling openers: [AudioOpener], _ options: TranscriptionOptions, isCancelled: @escaping () -> Bool,
        onEvent: @escaping (Int, TranscriptionProgressEvent) -> Void,
        onEnd: @escaping (Int, Result<Transcript, any Error>) -> Void
    ) throws {
        // All calls are on one thread.
        let speakers = RecordingSpeakers()
        try options.speakers?.validate()
        try transcribe(
            openers.enumerated().map { number, open in { try speakers.listen(to: open(), number, options) } },
            options.withWordsForSpeakers, isCancelled: isCancelled, onEvent: onEvent,
            onEnd: { onEnd($0, speakers.label($1, $0)) })
    }
}

extension Transcriber {
    /// Reports progress on several recordings: the index of the recording and its event, in the order of that
    /// recording; called on the thread of the transcription.
    package typealias NumberedProgress = @Sendable (Int, TranscriptionProgressEvent) -> Void

    /// Transcribes several recordings of any kind, like ``transcripts(files:options:)``, and reports their progress.
    package func transcripts(
        options: TranscriptionOptions = TranscriptionOptions(), progress: NumberedProgress? = nil,
        from openers: [SourceOpener]
    ) -> RecordingResults {
        RecordingResults(transcriber: self, options: options, progress: progress, openers: openers)
    }
}
