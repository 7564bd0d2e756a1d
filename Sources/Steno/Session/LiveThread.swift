import Foundation
import StenoCore
import StenoVoice

/// The session's thread: passes the items of the inbox to the session and emits its events.
final class LiveThread: @unchecked Sendable {
    // Sendable: created by one thread, then used only by its own thread.
    private let inbox: LiveInbox
    private let session: LiveSession
    private let queue: any DecodingQueue
    private let continuation: AsyncStream<TranscriptionEvent>.Continuation
    private let phase: EnginePhase

    init(
        model: any SpeechModel, options: LiveOptions, pace: LivePace, inbox: LiveInbox,
        continuation: AsyncStream<TranscriptionEvent>.Continuation, phase: EnginePhase, meter: DecodingMeter
    ) throws {
        self.inbox = inbox
        self.continuation = continuation
        self.phase = phase
        let spans = try ModelSpanDecoder(model, beams: options.finalBeamSize)
        let decoder = MeteredDecoder(spans, meter: meter)
        queue = pace.makeQueue(decoder, inbox: inbox)
        session = LiveSession(
            options, detector: try options.makeDetector(), queue: queue,
            context: options.initialPrompt.map(spans.tokens) ?? [],
            emit: {
                if case .shed(let span, _) = $0 { meter.shed(span.upperBound - span.lowerBound) }
                continuation.yield($0)
            })
    }

    /// Starts the thread, which lives until the end of the audio.
    func start() {
        let thread = Thread { self.run() }
        thread.stackSize = Worker.stackSize
        thread.start()
    }

    private func run() {
        Thread.current.name = "steno.live.hear"
        let result = Result { try work() }
        queue.cancel()
        switch result {
        case .success: tell(.finished)
        case .failure where inbox.hasBeenCancelled: tell(.cancelled)
        case .failure(let error):
            continuation.yield(.error(TranscriptionFailure(error), position: session.position))
            tell(.failed)
        }
        // Callers that still append audio must not wait for a thread that has ended.
        let wasCancelled = inbox.hasBeenCancelled
        inbox.cancel()
        continuation.finish()
        phase.finish(wasCancelled ? .failure(CancellationError()) : result)
    }

    private func work() throws {
        while true {
            switch inbox.next() {
            case .audio(let samples): try session.append(samples)
            case .discontinuity(let discontinuity):
                continuation.yield(.discontinuity(discontinuity, position: session.position))
            case .result: try session.poll()
            case .cancel: throw CancellationError()
            case .finish:
                tell(.finishing)
                return try session.finish()
            }
        }
    }

    private func tell(_ state: TranscriptionState) {
        continuation.yield(.stateChange(state, position: session.position))
    }
}

extension LivePace {
    fileprivate func makeQueue(_ decoder: any SpanDecoder, inbox: LiveInbox) -> any DecodingQueue {
        guard self != .realTime else { return ThreadQueue(decoder) { inbox.postResult() } }
        decoder.isCancelled = { inbox.hasBeenCancelled }
        return ImmediateQueue(decoder, cost: cost) { ProcessInfo.processInfo.systemUptime }
    }

    private func cost(_ decoding: LiveDecoding, _ measured: Double) -> Double {
        switch self {
        case .realTime, .fast: 0
        case .measured(let factor): measured * factor
        case .charged(let seconds): seconds
        }
    }
}

extension LiveOptions {
    fileprivate func makeDetector() throws -> any VoiceActivityDetector {
        switch detector {
        case .silero: try SileroDetector(BundledSilero.model())
        case .energy: EnergyDetector()
        }
    }
}
