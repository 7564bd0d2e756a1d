public import Foundation
public import StenoCore

/// An event of the transcription of a recording.
///
///     for try await event in transcriber.events(file: talk) {
///         if let segment = event.segment { print(segment.text) }
///         if let fraction = event.progress?.fraction { bar.value = fraction }
///     }
///
/// Exactly one property is not nil: the one that the event reports. Later versions may add properties.
public struct FileEvent: Sendable {
    enum Payload: Sendable {
        case language(LanguageDetection)
        case duration(Double)
        case progress(Progress)
        case segment(Segment)
        case finished(Transcript)
    }

    /// The progress of a transcription.
    public struct Progress: Sendable, Hashable {
        /// The seconds of audio that are transcribed.
        package let processed: Double
        /// The duration of the audio in seconds, if it is known.
        package let duration: Double?
        /// The seconds until the end, estimated from the speed so far; nil while no estimate is possible.
        public let timeLeft: Double?

        /// The fraction that is done, from 0 to 1; nil while the duration is unknown.
        public var fraction: Double? { duration.map { $0 > 0 ? min(1, processed / $0) : 1 } }
    }

    private let payload: Payload

    init(_ payload: Payload) { self.payload = payload }

    /// The given or detected language, reported once, before the first segment.
    public var language: LanguageDetection? { if case .language(let found) = payload { found } else { nil } }

    /// The duration of the audio in seconds, reported at the start for most files and at the end for a pipe.
    public var duration: Double? { if case .duration(let seconds) = payload { seconds } else { nil } }

    /// The progress, reported several times per window of 30 seconds; it never goes backwards.
    public var progress: Progress? { if case .progress(let progress) = payload { progress } else { nil } }

    /// The next segment, which is final.
    public var segment: Segment? { if case .segment(let segment) = payload { segment } else { nil } }

    /// The transcript, which is reported last.
    public var transcript: Transcript? { if case .finished(let transcript) = payload { transcript } else { nil } }
}

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

    package func events(
        options: TranscriptionOptions = TranscriptionOptions(), from open: @escaping SourceOpener
    ) -> FileEvents {
        FileEvents(transcriber: self, options: options, open: open)
    }
}

/// Turns the reports of a model into events: the duration once, progress that only rises, the time that is left.
struct FileEventWriter {
    private var duration: Double?
    private var reported: Double?
    private let uptime: () -> Double
    private let start: Double

    /// - Parameter uptime: The seconds of a clock, from which the time left is estimated.
    init(uptime: @escaping () -> Double) {
        self.uptime = uptime
        start = uptime()
    }

    /// The events for the duration, when it becomes known.
    mutating func events(duration seconds: Double?) -> [FileEvent] {
        guard duration == nil, let seconds else { return [] }
        duration = seconds
        return [.init(.duration(seconds))]
    }

    mutating func events(for report: TranscriptionProgressEvent) -> [FileEvent] {
        switch report {
        case .language(let language): return [.init(.language(language))]
        case .segment(let segment): return [.init(.segment(segment))]
        case .progress(let processed, let total):
            guard processed > reported ?? -1 else { return events(duration: total) }
            let events = events(duration: total)
            reported = processed
            let timeLeft = timeLeft(processed)
            return events + [.init(.progress(.init(processed: processed, duration: duration, timeLeft: timeLeft)))]
        }
    }

    mutating func end(_ transcript: Transcript) -> [FileEvent] {
        // Progress is known only in whole frames, and a rest without speech is not reported.
        events(for: .progress(processed: duration ?? transcript.duration, total: transcript.duration))
            + [.init(.finished(transcript))]
    }

    /// The seconds that the rest takes at the mean speed so far.
    private func timeLeft(_ processed: Double) -> Double? {
        guard let duration, processed > 0 else { return nil }
        return max(0, duration - processed) / processed * (uptime() - start)
    }
}
