package import StenoCore
import StenoVoiceActivity

extension WhisperModel {
    /// Transcribes recordings as they come, on the calling thread, until the feed ends.
    ///
    /// Without batches each lane decodes one recording sequentially. A recording's own options may not need more
    /// hypotheses or another batch size than `options`.
    package func transcribe(
        _ feed: any RecordingFeed, lanes: Int, _ options: TranscriptionOptions, isCancelled: @escaping () -> Bool,
        onEnd: @escaping (FedResult) -> Void
    ) throws {
        let plan = try TranscriptionPlan(self, options, recordings: lanes)
        try decode(feed, plan, isCancelled: isCancelled, onEvent: { _, _ in }, onEnd: onEnd)
    }

    func decode(
        _ feed: any RecordingFeed, _ plan: TranscriptionPlan, isCancelled: @escaping () -> Bool,
        onEvent: @escaping (Int, TranscriptionProgressEvent) -> Void, onEnd: @escaping (FedResult) -> Void
    ) throws {
        var numbers: [ObjectIdentifier: Int] = [:]
        let loop = try TranscriptionLoop(plan, isCancelled: isCancelled) { waits in
            while let next = try feed.next(waits: waits) {
                let start = ContinuousClock.now
                do {
                    let own = try plan.with(next.options)
                    let recording = try Transcription(
                        own, next.open(), silero: own.options.silero(), isCancelled: isCancelled,
                        onEvent: { onEvent(next.number, $0) })
                    recording.seconds = (ContinuousClock.now - start) / .seconds(1)
                    numbers[ObjectIdentifier(recording)] = next.number
                    return recording
                } catch let error where (error as? StenoError)?.code != .cancelled && !isCancelled() {
                    let seconds = (ContinuousClock.now - start) / .seconds(1)
                    onEnd(FedResult(number: next.number, transcript: .failure(error), seconds: seconds))
                }
            }
            return nil
        } end: { recording, error in
            guard let number = numbers.removeValue(forKey: ObjectIdentifier(recording)) else { return }
            onEnd(
                FedResult(
                    number: number, transcript: error.map { .failure($0) } ?? .success(recording.transcript),
                    seconds: recording.seconds))
        }
        // If a requested network is missing, everything fails before any recording is opened.
        try plan.options.checkNetworks()
        try loop.run()
    }
}

/// The recordings of a list, which share their options.
///
/// `@unchecked Sendable`: only the thread that the list is decoded on uses it.
final class RecordingList: RecordingFeed, @unchecked Sendable {
    private var waiting: EnumeratedSequence<[SpeechModel.AudioOpener]>.Iterator
    private let options: TranscriptionOptions

    init(_ recordings: [SpeechModel.AudioOpener], _ options: TranscriptionOptions) {
        waiting = recordings.enumerated().makeIterator()
        self.options = options
    }

    func next(waits: Bool) -> FedRecording? {
        waiting.next().map { FedRecording(number: $0, options: options, open: $1) }
    }

    func stop() {}
}

extension TranscriptionPlan {
    /// The plan of a recording with its own options.
    ///
    /// - Throws: ``StenoError``: `invalidOption`, `unknownLanguage`.
    fileprivate func with(_ own: TranscriptionOptions) throws -> TranscriptionPlan {
        if own == options { return self }
        guard own.whisper.hypotheses <= whisper.hypotheses, own.batchSize == options.batchSize else {
            throw StenoError(
                .invalidOption,
                "Recordings decoded together must have the same beam size, number of samples and batch size.")
        }
        return try TranscriptionPlan(model, own, recordings: lanes)
    }
}
