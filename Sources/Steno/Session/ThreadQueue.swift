import Foundation

/// Decodes on a dedicated thread while the analysis of the audio continues; results become available in real time.
final class ThreadQueue: DecodingQueue, @unchecked Sendable {
    // Sendable: mutable state is accessed under the lock of the condition; the decoder is used by the thread only.
    private let condition = NSCondition()
    private var job: (decoding: LiveDecoding, samples: [Float])?
    private var outcome: Outcome?
    private var isOver = false

    /// Starts the thread; it ends with ``cancel()``.
    ///
    /// - Parameters:
    ///   - decoder: From now on used only by the thread of the queue.
    ///   - onResult: Called on the thread when a result is available.
    init(_ decoder: any SpanDecoder, onResult: @escaping @Sendable () -> Void) {
        decoder.isCancelled = { [weak self] in self?.hasEnded ?? true }
        let box = DecoderBox(decoder)
        let thread = Thread { [weak self] in
            Thread.current.name = "steno.live.decode"
            while let next = self?.nextJob() {
                let outcome = Outcome { try box.decoder.decode(next.samples, next.decoding) }
                self?.post(outcome)
                onResult()
            }
        }
        thread.stackSize = Worker.stackSize
        thread.start()
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
        while outcome == nil, !isOver { condition.wait() }
        defer { outcome = nil }
        return outcome ?? .failure(CancellationError())
    }

    func cancel() {
        condition.lock()
        isOver = true
        condition.broadcast()
        condition.unlock()
    }

    private var hasEnded: Bool {
        condition.lock()
        defer { condition.unlock() }
        return isOver
    }

    private func nextJob() -> (decoding: LiveDecoding, samples: [Float])? {
        condition.lock()
        defer { condition.unlock() }
        while job == nil, !isOver { condition.wait() }
        defer { job = nil }
        return isOver ? nil : job
    }

    private func post(_ outcome: Outcome) {
        condition.lock()
        self.outcome = outcome
        condition.broadcast()
        condition.unlock()
    }
}

/// Carries the decoder to its thread.
private final class DecoderBox: @unchecked Sendable {
    // Sendable: after its creation it is accessed only by the thread of the queue.
    let decoder: any SpanDecoder

    init(_ decoder: any SpanDecoder) { self.decoder = decoder }
}
