import Foundation

/// Decodes on a dedicated thread while the analysis of the audio continues; results become available in real time.
final class ThreadQueue: DecodingQueue, @unchecked Sendable {
    // Sendable: mutable state is accessed under the lock of the condition; the decoder is used by the thread only.
    let followsAudio = false

    private let condition = NSCondition()
    /// Nil once the thread has ended, so that its memory does not wait for whoever else holds the queue.
    private var decoder: (any SpanDecoder)?
    private var job: (decoding: LiveDecoding, samples: [Float])?
    private var outcome: Outcome?
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
            while let next = nextJob() {
                guard let decoder = self.decoder else { break }
                post(Outcome { try decoder.decode(next.samples, next.decoding) })
                onResult()
            }
            self.decoder = nil
        } completion: { _ in
            MemoryUse.end()
        }
        ended.whenCancelled { [self] in
            condition.lock()
            condition.broadcast()
            condition.unlock()
        }
    }

    func submit(_ decoding: LiveDecoding, samples: [Float], at position: Int) {
        condition.lock()
        job = (decoding, samples)
        condition.broadcast()
        condition.unlock()
    }

    func result(at position: Int) -> Outcome? {
        condition.lock()
        defer { condition.unlock() }
        defer { outcome = nil }
        return outcome
    }

    func awaitResult() -> Outcome {
        condition.lock()
        defer { condition.unlock() }
        while outcome == nil, !ended.isCancelled { condition.wait() }
        defer { outcome = nil }
        return outcome ?? .failure(CancellationError())
    }

    private func nextJob() -> (decoding: LiveDecoding, samples: [Float])? {
        condition.lock()
        defer { condition.unlock() }
        while job == nil, !ended.isCancelled { condition.wait() }
        defer { job = nil }
        return ended.isCancelled ? nil : job
    }

    private func post(_ outcome: Outcome) {
        condition.lock()
        self.outcome = outcome
        condition.broadcast()
        condition.unlock()
    }
}
