import Foundation

/// Live transcription with a model of any family; runs everywhere.
///
/// Analysis and decoding run on separate threads, so levels and speech are reported while a decoding runs. Any number of
/// engines can share one loaded model.
public final class ModelEngine: TranscriptionEngine, @unchecked Sendable {
    // Sendable: constants, and a phase guarded by its lock.

    /// How fast audio arrives, and how decoding time is accounted for.
    public typealias Pace = LivePace

    /// The events, in order.
    public let events: AsyncStream<TranscriptionEvent>

    /// The amount of buffered audio at which `append` waits, unless in real time: ten seconds.
    private static let waitingLimit = 10 * AudioFile.sampleRate

    private let model: any SpeechModel
    private let options: LiveOptions
    private let pace: Pace
    private let continuation: AsyncStream<TranscriptionEvent>.Continuation
    private let inbox: LiveInbox
    private let phase = EnginePhase()
    private let meter = DecodingMeter()

    /// Creates an engine that has not been started.
    ///
    /// - Throws: `StenoError.invalidOption` or `StenoError.unknownLanguage` when the options are invalid for the model.
    public init(model: any SpeechModel, options: LiveOptions = LiveOptions(), pace: Pace = .realTime) throws {
        try options.validate()
        try model.check(TranscriptionRequest(language: options.language, task: options.task))
        guard model.information.tasks.contains(options.task) else {
            throw StenoError(
                .invalidOption,
                "This model cannot \(options.task.rawValue). Use a multilingual Whisper model: the same name without “.en”."
            )
        }
        self.model = model
        self.options = options
        self.pace = pace
        (events, continuation) = AsyncStream.makeStream(of: TranscriptionEvent.self, bufferingPolicy: .unbounded)
        inbox = LiveInbox(limit: pace == .realTime ? nil : Self.waitingLimit)
    }

    deinit { inbox.cancel() }

    /// Statistics of the session so far.
    public var statistics: LiveStatistics { meter.statistics }

    /// Allocates memory and starts the session.
    public func start() async throws {
        try phase.start()
        continuation.yield(.stateChange(.preparing, position: 0))
        let body = try LiveThread(
            model: model, options: options, pace: pace, inbox: inbox, continuation: continuation, phase: phase,
            meter: meter)
        continuation.yield(.stateChange(.running, position: 0))
        body.start()
    }

    /// Takes the next chunk; the call waits only if the pace is not real time.
    public func append(_ samples: [Float]) async throws {
        try phase.checkRunning()
        guard !samples.isEmpty else { return }
        meter.hear(samples.count)
        await inbox.append(samples)
    }

    /// Reports the discontinuity in its place among the events.
    public func report(_ discontinuity: AudioDiscontinuity) async { inbox.report(discontinuity) }

    /// Ends the audio and returns when all text is final.
    ///
    /// Cancelling the waiting task cancels the engine.
    public func finish() async throws {
        try phase.checkRunning()
        inbox.finish()
        try await withTaskCancellationHandler {
            try await phase.end()
        } onCancel: {
            inbox.cancel()
        }
    }

    /// Ends at once; text that is not final is lost.
    public func cancel() async {
        guard phase.hasStarted else { return continuation.finish() }
        inbox.cancel()
        try? await phase.end()
    }
}
