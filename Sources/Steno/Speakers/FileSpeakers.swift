import StenoCore
import StenoSpeakers

/// The speakers of one recording, found while it is transcribed.
final class FileSpeakers {
    private let options: SpeakerOptions
    private let diarizer: any RecordingDiarizer
    private var tap: SpeakerTap?

    /// Prepares for a recording; nil if the options do not ask for speakers.
    ///
    /// - Throws: ``StenoError``: `invalidOption`, `resourceMissing`, `modelDamaged`, `outOfMemory`.
    init?(_ options: TranscriptionOptions) throws {
        guard let options = options.speakers else { return nil }
        try options.validate()
        self.options = options
        diarizer = try SpeakerModels.find()?.diarizer() ?? SpeakerDiarizer.bundled()
    }

    func listen(to source: any SampleSource) -> any SampleSource {
        let tap = SpeakerTap(source, diarizer: diarizer)
        self.tap = tap
        return tap
    }

    func label(_ transcript: Transcript) throws -> Transcript {
        try tap?.finish()
        let found = diarizer.finish(counts: options.counts)
        let voices = Dictionary(uniqueKeysWithValues: found.voices.enumerated().map { ($0, $1) })
        return transcript.labelled(
            by: found.turns(names: SpeakerNames.names(of: voices, profiles: options.profiles)), isExact: found.isExact)
    }
}

extension SpeechModel {
    /// Transcribes one recording to its end, with its speakers if the options ask for them.
    func transcribe(
        labelling source: any SampleSource, _ options: TranscriptionOptions, isCancelled: @escaping () -> Bool,
        onEvent: @escaping (TranscriptionProgressEvent) -> Void
    ) throws -> Transcript {
        let speakers = try FileSpeakers(options)
        let transcript = try transcribe(
            speakers?.listen(to: source) ?? source, options: options.withWordsForSpeakers, isCancelled: isCancelled,
            onEvent: onEvent)
        return try speakers?.label(transcript) ?? transcript
    }

    /// Transcribes the recordings of a feed, and labels the speakers of those whose options ask for it.
    func transcribe(
        labelling feed: any RecordingFeed, lanes: Int = 1, _ options: TranscriptionOptions,
        isCancelled: @escaping () -> Bool, onEvent: @escaping (Int, RecordingEvent) -> Void
    ) throws {
        try options.speakers?.validate()
        let labelled = SpeakerFeed(feed)
        try transcribe(
            labelled, lanes: lanes, options.withWordsForSpeakers, isCancelled: isCancelled,
            onEvent: { onEvent($0, labelled.label($1, of: $0)) })
    }
}

/// A feed of recordings whose speakers are found while they are transcribed.
///
/// `@unchecked Sendable`: everything but `feed` is used only on the model's thread.
private final class SpeakerFeed: RecordingFeed, @unchecked Sendable {
    private let feed: any RecordingFeed
    /// The speakers of each open recording, by its number.
    private var speakers: [Int: FileSpeakers] = [:]

    init(_ feed: any RecordingFeed) { self.feed = feed }

    func next(waits: Bool) throws -> FedRecording? {
        guard var recording = try feed.next(waits: waits) else { return nil }
        let (number, options, open) = (recording.number, recording.options, recording.open)
        recording.options = options.withWordsForSpeakers
        recording.open = { [self] in
            let source = try open()
            speakers[number] = try FileSpeakers(options)
            return speakers[number]?.listen(to: source) ?? source
        }
        return recording
    }

    func stop() { feed.stop() }

    /// The event with speakers in a transcript; the time for finding them counts as the recording's.
    func label(_ event: RecordingEvent, of number: Int) -> RecordingEvent {
        guard case .result(var result) = event, let speakers = speakers.removeValue(forKey: number) else {
            return event
        }
        let start = ContinuousClock.now
        result.transcript = result.transcript.flatMap { found in Result { try speakers.label(found) } }
        result.seconds += (ContinuousClock.now - start) / .seconds(1)
        return .result(result)
    }
}

extension TranscriptionOptions {
    /// The options, with word times if speakers are wanted, because words are labelled.
    fileprivate var withWordsForSpeakers: TranscriptionOptions { speakers == nil ? self : withWords }

    var withWords: TranscriptionOptions { with { $0.wordTimestamps = true } }
}
