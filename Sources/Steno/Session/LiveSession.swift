import Foundation
import StenoCore

/// One live session: its lifecycle, its inbox, its thread and its end, for callers on any thread.
///
/// All calls return at once or suspend; the work is done by a thread of the session, which runs from ``start()`` to the
/// end. There is one cancellation, ``cancel()``: the session has ended when it returns, and its threads stop at the next
/// token or layer. State events are sent under the lock that guards the lifecycle, so they come in its order, and there
/// is exactly one event of the end.
final class LiveSession: @unchecked Sendable {
    // Sendable: all state is accessed under the lock of the condition.

    /// Makes the pipeline on the session's thread, which alone uses it.
    typealias PipelineMaker = @Sendable (LiveSession) throws -> LivePipeline

    /// The events.
    let broadcast = TranscriptionEventBroadcast()
    /// Raised when the session ends, in whatever way: all work of the session stops.
    let ended = CancellationFlag()

    private let condition = NSCondition()
    private var lifecycle = SessionLifecycle()
    private var inbox: SessionInbox
    private var hasResult = false
    private var nextRequest = 0
    /// Readers of a new state, to be woken when the lock is free.
    private var wakings: [Waking] = []
    private let makePipeline: PipelineMaker

    private var starting: CheckedContinuation<Void, any Error>?
    /// Callers that wait until there is room for audio.
    private var appending: [Int: CheckedContinuation<Void, Never>] = [:]
    private var finishing: [CheckedContinuation<Void, any Error>] = []
    private var finalizing: [Int: CheckedContinuation<Void, any Error>] = [:]
    /// Requests that are not done, and whose callers do not wait for them yet.
    private var expected: Set<Int> = []

    /// - Parameter limit: The number of waiting samples above which ``append(_:)`` waits for the thread.
    init(limit: Int, makePipeline: @escaping PipelineMaker) {
        inbox = SessionInbox(limit: limit)
        self.makePipeline = makePipeline
    }

    private func locked<Value>(_ body: () throws -> Value) rethrows -> Value {
        condition.lock()
        defer {
            let woken = wakings
            wakings = []
            condition.unlock()
            for wake in woken { wake() }
        }
        return try body()
    }

    // MARK: Lifecycle

    /// Starts the session and returns when it is running.
    ///
    /// - Throws: What kept it from starting; the session has then ended. Cancelling the task cancels the session.
    func start() async throws {
        try locked {
            try lifecycle.start()
            report()
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let ending = locked {
                    if lifecycle.ending == nil { starting = continuation }
                    return lifecycle.ending
                }
                if let ending { return continuation.resume(with: ending.result) }
                Worker.start("steno.live", flag: ended) { [self] _ in
                    try MemoryUse.during { try run() }
                } completion: { [self] result in
                    end(result)
                }
            }
        } onCancel: {
            cancel()
        }
    }

    /// Ends the audio and returns when all text is final and every reader has it in its buffer.
    ///
    /// After the end it returns, or throws, at once. Cancelling the task cancels the session.
    func finish() async throws {
        try locked {
            try lifecycle.finish()
            condition.broadcast()
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let ending = locked {
                    if lifecycle.ending == nil { finishing.append(continuation) }
                    return lifecycle.ending
                }
                if let ending { continuation.resume(with: ending.result) }
            }
        } onCancel: {
            cancel()
        }
    }

    /// Ends the session at once; text that is not final is lost.
    func cancel() { end(.cancelled) }

    // MARK: Audio and requests

    /// Adds audio that continues what was added before; waits while the inbox is full.
    func append(_ samples: [Float]) async throws {
        try await add { $0.put(AudioChunk(position: $0.end, samples: samples)) }
    }

    /// Adds audio at its position; waits while the inbox is full.
    func append(_ chunk: AudioChunk) async throws {
        guard chunk.position >= 0, chunk.position <= Self.lastPosition - chunk.samples.count else {
            throw StenoError(.invalidOption, "An audio chunk's position must be from 0 to \(Self.lastPosition).")
        }
        try await add { $0.put(chunk) }
    }

    /// A thousand years: sums of positions cannot overflow.
    private static let lastPosition = 1000 * 365 * 86_400 * AudioFile.sampleRate

    /// Makes the audio before `seconds` (nil: all audio so far) final, and returns when it is.
    func finalize(through seconds: Double?) async throws {
        let target = try seconds.map {
            guard $0.isFinite, $0 >= 0, $0 <= Self.lastPosition.seconds else {
                throw StenoError(.invalidOption, "The time to finalize through must be 0 seconds or more.")
            }
            return $0.samples
        }
        let id = try locked {
            try lifecycle.checkAccepting()
            nextRequest += 1
            expected.insert(nextRequest)
            inbox.put(.finalize(through: target, id: nextRequest))
            condition.broadcast()
            return nextRequest
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Void, any Error>? = locked {
                    guard expected.remove(id) != nil else { return .success(()) }
                    if let ending = lifecycle.ending { return ending.result }
                    // The task may have been cancelled before the caller began to wait. It is asked once: the handler of
                    // one that is cancelled from here on finds the continuation, and resumes it.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    finalizing[id] = continuation
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            locked { finalizing.removeValue(forKey: id) }?.resume(throwing: CancellationError())
        }
    }

    /// The number of requests to finalize that somebody waits for, or is about to.
    var openRequests: Int { locked { expected.count + finalizing.count } }

    /// Adds a request after the audio added so far.
    func request(_ item: SessionInbox.Item) throws {
        try locked {
            try lifecycle.checkAccepting()
            inbox.put(item)
            condition.broadcast()
        }
    }

    private func add(_ put: (inout SessionInbox) -> Void) async throws {
        let id: Int? = try locked {
            try lifecycle.checkAccepting()
            put(&inbox)
            condition.broadcast()
            guard inbox.isFull else { return nil }
            nextRequest += 1
            return nextRequest
        }
        guard let id else { return }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustWait = locked {
                    let mustWait = inbox.isFull && lifecycle.ending == nil && !Task.isCancelled
                    if mustWait { appending[id] = continuation }
                    return mustWait
                }
                if !mustWait { continuation.resume() }
            }
        } onCancel: {
            locked { appending.removeValue(forKey: id) }?.resume()
        }
        try Task.checkCancellation()
        // Audio that was added and will not be transcribed must not look as if it were.
        try locked {
            if let ending = lifecycle.ending, ending.state != .finished { try ending.result.get() }
        }
    }

    // MARK: The thread

    /// Sends an event; after the end nothing is sent.
    func emit(_ event: TranscriptionEvent) { broadcast.send(event) }

    /// The result of a decoding is available.
    func postResult() {
        locked {
            hasResult = true
            condition.broadcast()
        }
    }

    /// Resumes the caller of a request to finalize.
    func didFinalize(_ id: Int) {
        locked {
            expected.remove(id)
            return finalizing.removeValue(forKey: id)
        }?.resume()
    }

    private func run() throws {
        let pipeline = try makePipeline(self)
        let starter = locked {
            if lifecycle.prepared() { report() }
            defer { starting = nil }
            return starting
        }
        starter?.resume()
        while true {
            switch try next(acceptsAudio: pipeline.acceptsAudio) {
            case .item(.audio(let samples, let position)): try pipeline.append(samples, at: position)
            case .item(.discontinuity(let discontinuity)): pipeline.report(discontinuity)
            case .item(.finalize(let target, let id)): try pipeline.finalize(through: target, id: id)
            case .item(.clear): try pipeline.clear()
            case .item(.forget(let sample)): try pipeline.forget(before: sample)
            case .item(.change(let settings)): try pipeline.change(settings)
            case .result: try pipeline.poll()
            case .end:
                locked { if lifecycle.heardAll() { report() } }
                return try pipeline.finish()
            }
        }
    }

    private enum Next {
        case item(SessionInbox.Item)
        case result
        case end
    }

    /// Waits for something to do: results first, since they make room, and the end after all audio.
    private func next(acceptsAudio: Bool) throws -> Next {
        let (next, released) = try locked {
            while true {
                guard lifecycle.ending == nil else { throw CancellationError() }
                if hasResult {
                    hasResult = false
                    return (Next.result, [CheckedContinuation<Void, Never>]())
                }
                if let item = inbox.take(acceptsAudio: acceptsAudio) {
                    return (.item(item), inbox.isFull ? [] : takeAppending())
                }
                if inbox.isEmpty, lifecycle.audioHasEnded { return (.end, []) }
                condition.wait()
            }
        }
        for waiter in released { waiter.resume() }
        return next
    }

    private func end(_ result: Result<Void, any Error>) {
        switch result {
        case .success: end(.finished)
        case .failure(is CancellationError): end(.cancelled)
        case .failure(let error): end(.failed(error))
        }
    }

    /// Ends the session, unless it has ended: reports it, stops the work, resumes all who wait.
    private func end(_ ending: SessionLifecycle.Ending) {
        condition.lock()
        guard lifecycle.end(ending) else { return condition.unlock() }
        var last: [TranscriptionEvent] = [.state(ending.state, position: 0)]
        if case .failed(let error) = ending { last.insert(.error(TranscriptionFailure(error), position: 0), at: 0) }
        let readers = broadcast.putEnd(last)
        condition.broadcast()
        let released = takeAppending()
        let waiters = finishing + finalizing.values + [starting].compactMap(\.self)
        (finishing, finalizing, starting) = ([], [:], nil)
        condition.unlock()
        ended.cancel()
        for wake in readers { wake() }
        for waiter in released { waiter.resume() }
        for waiter in waiters { waiter.resume(with: ending.result) }
    }

    /// Sends the new state; called under the lock, so that states come in order.
    ///
    /// The broadcast keeps positions from going back.
    private func report() { wakings += broadcast.put(.state(lifecycle.state, position: 0)) }

    /// Callers to resume once the lock is free: the handler of a caller's cancellation takes the same lock, and runs while
    /// the runtime holds one that resuming needs.
    private func takeAppending() -> [CheckedContinuation<Void, Never>] {
        defer { appending = [:] }
        return Array(appending.values)
    }
}
