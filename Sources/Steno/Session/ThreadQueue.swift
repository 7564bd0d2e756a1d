import StenoCore

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
    ///   - ended: Raised when the session ends.
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
