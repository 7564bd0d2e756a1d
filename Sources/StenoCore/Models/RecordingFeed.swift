/// A recording from a feed, with its own options.
package struct FedRecording {
    /// Identifies the recording in results.
    package var number: Int
    /// Opens the audio, on the thread that reads it.
    package var open: SpeechModel.AudioOpener
    package var options: TranscriptionOptions

    package init(number: Int, options: TranscriptionOptions, open: @escaping SpeechModel.AudioOpener) {
        self.number = number
        self.options = options
        self.open = open
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

/// The result of a recording from a feed.
package struct FedResult: Sendable {
    /// The recording's number.
    package var number: Int
    /// The transcript, or the error.
    package var transcript: Result<Transcript, any Error>
    /// The seconds that the model spent on it, including opening and reading; time spent on several recordings at once
    /// is divided among them.
    package var seconds: Double

    package init(number: Int, transcript: Result<Transcript, any Error>, seconds: Double) {
        self.number = number
        self.transcript = transcript
        self.seconds = seconds
    }
}
