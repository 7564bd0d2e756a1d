public import Foundation
import StenoCore

/// The segments of one recording, each as soon as it is decoded.
///
///     for try await segment in transcriber.segments(file: talk) { print(segment.text) }
///
/// Decoding starts with the loop, and once for every loop. It does not wait for the reader: unread segments
/// are buffered without a bound, which costs little, since an hour of speech takes some hundred kilobytes. Leaving
/// the loop stops the decoding within one token; so does cancelling the task, and then the loop throws
/// `CancellationError`.
public struct SegmentSequence: AsyncSequence, Sendable {
    /// Iterates over the segments.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var base: WorkerIterator<Segment>

        /// The next segment, or nil at the end of the audio.
        public mutating func next() async throws -> Segment? { try await base.next() }
    }

    fileprivate let model: any SpeechModel
    fileprivate let request: TranscriptionRequest
    fileprivate let open: Transcriber.SourceOpener

    /// Starts decoding.
    public func makeAsyncIterator() -> AsyncIterator {
        let base = WorkerIterator<Segment>("steno.decode") { [model, request, open] flag, give in
            _ = try model.transcribe(
                try flag.open(open), options: request, isCancelled: { flag.isCancelled }
            ) { event in
                if case .segment(let segment) = event { give(segment) }
            }
        }
        return AsyncIterator(base: base)
    }
}

extension Transcriber {
    /// Decodes a file and gives its segments one by one.
    public func segments(file: URL, options: some TranscriptionOptions = TranscriptionRequest()) -> SegmentSequence {
        segments(options: options) { try AudioFile.open(file) }
    }

    /// Decodes samples (16 kHz, mono, −1 to 1) and gives their segments one by one.
    public func segments(samples: [Float], options: some TranscriptionOptions = TranscriptionRequest())
        -> SegmentSequence
    {
        segments(options: options) { ArraySampleSource(samples) }
    }

    /// Decodes any other recording, such as a pipe, and gives its segments one by one.
    public func segments(
        options: some TranscriptionOptions = TranscriptionRequest(), from open: @escaping SourceOpener
    ) -> SegmentSequence {
        SegmentSequence(model: model, request: options.request, open: open)
    }
}
