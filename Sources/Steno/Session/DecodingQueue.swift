import StenoCore

/// Runs decodings, one at a time, and decides when their results become available.
protocol DecodingQueue: AnyObject {
    typealias Outcome = Result<UtteranceHypothesis, any Error>

    /// Submits a decoding requested at `position`, in samples; the previous result must have been taken.
    func submit(_ decoding: LiveDecoding, samples: [Float], at position: Int)

    /// The result, if it is available at `position`, in samples.
    func result(at position: Int) -> Outcome?

    /// Waits for the result, or for the end of the session.
    func awaitResult() -> Outcome

    /// Whether results become available with audio rather than with time: if no more audio arrives, the caller must
    /// take them with ``awaitResult()``.
    var followsAudio: Bool { get }
}

/// Decodes at once, on the caller's thread, and delivers the result later in audio time.
///
/// The text then depends only on the audio, however fast it arrives, and a slow machine can be simulated.
final class ImmediateQueue: DecodingQueue {
    /// The duration in audio time of a decoding that took `measured` seconds.
    typealias Cost = (_ decoding: LiveDecoding, _ measured: Double) -> Double

    let followsAudio = true

    private let decoder: any SpanDecoder
    private let cost: Cost
    private let now: () -> Double
    private var waiting: (due: Int, outcome: Outcome)?

    /// - Parameter now: A clock in seconds, to measure the cost of decodings.
    init(_ decoder: any SpanDecoder, cost: @escaping Cost, now: @escaping () -> Double) {
        self.decoder = decoder
        self.cost = cost
        self.now = now
    }

    func submit(_ decoding: LiveDecoding, samples: [Float], at position: Int) {
        let start = now()
        let outcome = Outcome { try decoder.decode(samples, decoding) }
        waiting = (position + cost(decoding, now() - start).samples, outcome)
    }

    func result(at position: Int) -> Outcome? {
        guard let waiting, waiting.due <= position else { return nil }
        self.waiting = nil
        return waiting.outcome
    }

    func awaitResult() -> Outcome {
        defer { waiting = nil }
        return waiting?.outcome ?? .failure(CancellationError())
    }
}

/// Decodes on a dedicated thread while the analysis of the audio continues; results become available in real time.
final class ThreadQueue: DecodingQueue, @unchecked Sendable {
    // Sendable: the decoder is used only by the thread, and mutable state is in the monitor.
    let followsAudio = false

    private struct State: Sendable {
        var job: (decoding: LiveDecoding, samples: [Float])?
        var outcome: Outcome?
    }

    private let state = Monitor(State())
    /// Nil once the thread has ended, so that its memory is freed even while others hold the queue.
    private var decoder: (any SpanDecoder)?
    private let ended: CancellationFlag

    /// Starts the thread; it ends when the flag is raised.
    ///
    /// - Parameters:
    ///   - decoder: From now on used only by the thread of the queue.
    ///   - onResult: Called on the thread when a result is available.
    init(_ decoder: any SpanDecoder, ended: CancellationFlag, onResult: @escaping @Sendable () -> Void) {
        self.ended = ended
        self.decoder = decoder
        decoder.isCancelled = { ended.isCancelled }
        MemoryUse.begin()
        Worker.start("steno.decode", flag: ended) { [self] _ in
            while let next = nextJob(), let decoder = self.decoder {
                let outcome = Outcome { try decoder.decode(next.samples, next.decoding) }
                state.update { $0.outcome = outcome }
                onResult()
            }
            self.decoder = nil
        } completion: { _ in
            MemoryUse.end()
        }
        // Waiters check the flag again.
        ended.whenCancelled { [state] in state.update { _ in } }
    }

    func submit(_ decoding: LiveDecoding, samples: [Float], at position: Int) {
        state.update { $0.job = (decoding, samples) }
    }

    func result(at position: Int) -> Outcome? {
        state.update { state in
            defer { state.outcome = nil }
            return state.outcome
        }
    }

    func awaitResult() -> Outcome {
        state.block { state -> Outcome? in
            defer { state.outcome = nil }
            return state.outcome ?? (ended.isCancelled ? .failure(CancellationError()) : nil)
        }
    }

    /// The next decoding; nil at the end.
    private func nextJob() -> (decoding: LiveDecoding, samples: [Float])? {
        state.block { state -> (decoding: LiveDecoding, samples: [Float])?? in
            if ended.isCancelled { return .some(nil) }
            guard let job = state.job else { return nil }
            state.job = nil
            return job
        }
    }
}
