/// A recording from a feed, with its own options.
package struct FedRecording {
    /// Identifies the recording in events.
    package var number: Int
    /// Opens the audio, on the thread that reads it.
    package var open: SpeechModel.AudioOpener
    package var options: TranscriptionOptions

    package init(number: Int, options: TranscriptionOptions, open: @escaping SpeechModel.AudioOpener) {
        (self.number, self.options, self.open) = (number, options, open)
    }
}

/// Recordings that are not known in advance: a model asks for the next one when there is room for it.
package protocol RecordingFeed: AnyObject, Sendable {
    /// The next recording; called on the thread of the model.
    ///
    /// - Parameter waits: Whether to block until there is one, because the model has nothing else to do. If false, nil
    ///   means that there is none yet.
    /// - Returns: Nil forever once there are no more recordings.
    func next(waits: Bool) throws -> FedRecording?

    /// Ends the feed, from any thread; recordings already returned are still decoded.
    func stop()
}

/// The recordings of a list, which share their options; each is identified by its index.
///
/// `@unchecked Sendable`: only the thread of the model uses it.
package final class ArrayFeed: RecordingFeed, @unchecked Sendable {
    private var waiting: EnumeratedSequence<[SpeechModel.AudioOpener]>.Iterator
    private let options: TranscriptionOptions

    package init(_ recordings: [SpeechModel.AudioOpener], _ options: TranscriptionOptions) {
        waiting = recordings.enumerated().makeIterator()
        self.options = options
    }

    package func next(waits: Bool) -> FedRecording? {
        waiting.next().map { FedRecording(number: $0, options: options, open: $1) }
    }

    package func stop() {}
}

/// What a model reports about a recording of a feed.
package enum RecordingEvent: Sendable {
    case progress(TranscriptionProgressEvent)
    /// The last event of a recording.
    case result(FedResult)

    package var result: FedResult? { if case .result(let result) = self { result } else { nil } }
}

package struct FedResult: Sendable {
    package var transcript: Result<Transcript, any Error>
    /// The seconds that the model spent on it, including opening and reading; time spent on several recordings at once
    /// is divided among them.
    package var seconds: Double

    package init(_ transcript: Result<Transcript, any Error>, seconds: Double) {
        (self.transcript, self.seconds) = (transcript, seconds)
    }
}
