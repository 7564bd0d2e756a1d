import Foundation

/// Live transcription with a model of any family; runs everywhere.
///
/// Hearing and decoding have a thread each, so levels and speech are told while a decoding runs. Any number of engines
/// share one loaded model.
public final class ModelEngine: TranscriptionEngine, @unchecked Sendable {
    // Sendable: constants, and a phase under its lock.

    /// How the time of the audio passes.
    public typealias Pace = LivePace

    /// What happens, in order.
    public let events: AsyncStream<TranscriptionEvent>

    /// How much audio may wait when nothing is in a hurry: ten seconds.
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
    /// - Throws: `StenoError.invalidOption` or `StenoError.unknownLanguage` when the options cannot be met.
    public init(model: any SpeechModel, options: LiveOptions = LiveOptions(), pace: Pace = .realTime) throws {
        try options.validate()
        try model.check(TranscriptionRequest(language: options.language, task: options.task))
        guard model.information.tasks.contains(options.task) else {
            throw StenoError(
                .invalidOption,
                "This model cannot \(options.task.rawValue). Of Whisper's models the multilingual ones can: the same name without “.en”."
            )
        }
        self.model = model
        self.options = options
        self.pace = pace
        (events, continuation) = AsyncStream.makeStream(of: TranscriptionEvent.self, bufferingPolicy: .unbounded)
        inbox = LiveInbox(limit: pace == .realTime ? nil : Self.waitingLimit)
    }

    deinit { inbox.cancel() }

    /// What the engine has done so far.
    public var statistics: LiveStatistics { meter.statistics }

    /// Allocates, and begins to listen.
    public func start() async throws {
        try phase.start()
        continuation.yield(.stateChange(.preparing, position: 0))
        let body = try LiveThread(
            model: model, options: options, pace: pace, inbox: inbox, continuation: continuation, phase: phase,
            meter: meter)
        continuation.yield(.stateChange(.running, position: 0))
        body.start()
    }

    /// Takes the next chunk; only a pace that is not real time makes the caller wait.
    public func append(_ samples: [Float]) async throws {
        try phase.checkRunning()
        guard !samples.isEmpty else { return }
        meter.hear(samples.count)
        await inbox.append(samples)
    }

    /// Has the discontinuity told in its place among the events.
    public func report(_ discontinuity: AudioDiscontinuity) async { inbox.report(discontinuity) }

    /// Ends the audio and returns when all of its text is out.
    ///
    /// When the waiting task is cancelled, so is the engine.
    public func finish() async throws {
        try phase.checkRunning()
        inbox.finish()
        try await withTaskCancellationHandler {
            try await phase.end()
        } onCancel: {
            inbox.cancel()
        }
    }

    /// Ends at once; text that is not out yet is lost.
    public func cancel() async {
        guard phase.hasStarted else { return continuation.finish() }
        inbox.cancel()
        try? await phase.end()
    }
}
