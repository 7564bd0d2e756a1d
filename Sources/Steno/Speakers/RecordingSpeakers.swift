import StenoCore

/// The speakers of recordings that are transcribed at the same time, kept separate for each recording.
final class RecordingSpeakers {
    /// The speakers of each open recording, by its number.
    private var open: [Int: FileSpeakers] = [:]

    /// The audio of a recording for the model.
    func listen(to source: any SampleSource, _ number: Int, _ options: TranscriptionOptions) throws -> any SampleSource
    {
        open[number] = try FileSpeakers(options)
        return open[number]?.listen(to: source) ?? source
    }

    /// The transcript of a finished recording, with its speakers if its options ask for them.
    func label(_ transcript: Result<Transcript, any Error>, _ number: Int) -> Result<Transcript, any Error> {
        guard let speakers = open.removeValue(forKey: number) else { return transcript }
        return transcript.flatMap { found in Result { try speakers.label(found) } }
    }
}

/// A feed of recordings whose speakers are found while they are transcribed.
///
/// `@unchecked Sendable`: everything but `feed` is used only on the model's thread.
final class SpeakerFeed: RecordingFeed, @unchecked Sendable {
    private let feed: any RecordingFeed
    private let speakers = RecordingSpeakers()

    init(_ feed: any RecordingFeed) { self.feed = feed }

    func next(waits: Bool) throws -> FedRecording? {
        guard var recording = try feed.next(waits: waits) else { return nil }
        let (number, options, open) = (recording.number, recording.options, recording.open)
        recording.options = options.withWordsForSpeakers
        recording.open = { [speakers] in try speakers.listen(to: open(), number, options) }
        return recording
    }

    func stop() { feed.stop() }

    /// The result with speakers; the time for finding them counts as the recording's.
    func label(_ result: FedResult) -> FedResult {
        let start = ContinuousClock.now
        var labelled = result
        labelled.transcript = speakers.label(result.transcript, result.number)
        labelled.seconds += (ContinuousClock.now - start) / .seconds(1)
        return labelled
    }
}
