import StenoCore

/// One live session: its lifecycle, inbox and thread, for callers on any thread.
///
/// All calls return at once or suspend; the work is done by a thread of the session, which runs from ``start()`` to the
/// end. There is one cancellation, ``cancel()``: the session has ended when it returns, and its threads stop at the next
/// token or layer. State events are sent under the lock that guards the lifecycle, so they arrive in order, and exactly
/// one of them reports the end.
final class LiveSession: Sendable {
    /// Makes the pipeline on the session's thread, the only thread that uses it.
    typealias PipelineMaker = @Sendable (LiveSession) throws -> LivePipeline

    let broadcast = TranscriptionEventBroadcast()
    /// Raised when the session ends for any reason, to stop all of its work.
    let ended = CancellationFlag()

    private struct State {
        var lifecycle = SessionLifecycle()
        var inbox: SessionInbox
        var hasResult = false
        var nextRequest = 0
        /// The pending requests to finalize.
        var finalizing: Set<Int> = []
        /// Wakes readers of a new state, once the lock is free.
        var wakings: [Waking] = []
    }

    private let state: Monitor<State>
    private let makePipeline: PipelineMaker

    /// - Parameter limit: The number of waiting samples above which ``append(_:)`` waits for the thread.
    init(limit: Int, makePipeline: @escaping PipelineMaker) {
        state = Monitor(State(inbox: SessionInbox(limit: limit)))
        self.makePipeline = makePipeline
    }

    /// Changes the state, and wakes the readers of new events.
    private func locked<Value>(_ body: (inout State) throws -> Value) rethrows -> Value {
        var wakings: [Waking] = []
        defer { for wake in wakings { wake() } }
        return try state.update { state in
            defer { (wakings, state.wakings) = (state.wakings, []) }
            return try body(&state)
        }
    }

    // MARK: Lifecycle

    /// Starts the session and returns when it is running.
    ///
    /// - Throws: The error that kept it from starting; the session has then ended. Cancelling the task cancels the
    ///   session.
    func start() async throws {
        try locked { state in
            try state.lifecycle.start()
            report(&state)
        }
        let result: Result<Void, any Error> = await withTaskCancellationHandler {
            let hasEnded = state.read { $0.lifecycle.ending != nil }
            if !hasEnded {
                Worker.start("steno.live", flag: ended) { [self] _ in
                    try MemoryUse.during { try run() }
                } completion: { [self] result in
                    end(result)
                }
            }
            return await state.value { state -> Result<Void, any Error>? in
                if let ending = state.lifecycle.ending { return ending.result }
                return state.lifecycle.state == .preparing ? nil : .success(())
            }
        } onCancel: {
            cancel()
        }
        try result.get()
    }

    /// Ends the audio and returns when all text is final and every reader has it in its buffer.
    ///
    /// After the end it returns, or throws, at once. Cancelling the task cancels the session.
    func finish() async throws {
        try locked { try $0.lifecycle.finish() }
        let result: Result<Void, any Error> = await withTaskCancellationHandler {
            await state.value { state -> Result<Void, any Error>? in state.lifecycle.ending?.result }
        } onCancel: {
            cancel()
        }
        try result.get()
    }

    /// Ends the session at once; text that is not final is lost.
    func cancel() { end(.cancelled) }

    // MARK: Audio and requests

    /// Adds audio that continues the previous audio; waits while the inbox is full.
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
        let id = try locked { state in
            try state.lifecycle.checkAccepting()
            state.nextRequest += 1
            state.finalizing.insert(state.nextRequest)
            state.inbox.put(.finalize(through: target, id: state.nextRequest))
            return state.nextRequest
        }
        // A caller that is cancelled does not wait for the thread.
        defer { didFinalize(id) }
        let result = try await state.wait { state -> Result<Void, any Error>? in
            state.finalizing.contains(id) ? state.lifecycle.ending?.result : .success(())
        }
        try result.get()
    }

    /// The number of requests to finalize that callers are waiting for, or about to.
    var openRequests: Int { state.read { $0.finalizing.count } }

    /// Adds a request after the audio added so far.
    func request(_ item: SessionInbox.Item) throws {
        try locked { state in
            try state.lifecycle.checkAccepting()
            state.inbox.put(item)
        }
    }

    private func add(_ put: (inout SessionInbox) -> Void) async throws {
        let isFull = try locked { state in
            try state.lifecycle.checkAccepting()
            put(&state.inbox)
            return state.inbox.isFull
        }
        guard isFull else { return }
        let ending = try await state.wait { state -> SessionLifecycle.Ending?? in
            if let ending = state.lifecycle.ending { return .some(ending) }
            return state.inbox.isFull ? nil : .some(nil)
        }
        // Audio that was added but will not be transcribed must not look transcribed.
        if let ending, ending.state != .finished { try ending.result.get() }
    }

    // MARK: The thread

    /// Sends an event; after the end nothing is sent.
    func emit(_ event: TranscriptionEvent) { broadcast.send(event) }

    func postResult() { state.update { $0.hasResult = true } }

    /// Completes a request to finalize, so that its caller stops waiting.
    func didFinalize(_ id: Int) { state.update { _ = $0.finalizing.remove(id) } }

    private func run() throws {
        let pipeline = try makePipeline(self)
        locked { state in
            if state.lifecycle.prepared() { report(&state) }
        }
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
                locked { state in
                    if state.lifecycle.heardAll() { report(&state) }
                }
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
        try state.block { state -> Next? in
            guard state.lifecycle.ending == nil else { throw CancellationError() }
            if state.hasResult {
                state.hasResult = false
                return .result
            }
            if let item = state.inbox.take(acceptsAudio: acceptsAudio) { return .item(item) }
            return state.inbox.isEmpty && state.lifecycle.audioHasEnded ? .end : nil
        }
    }

    private func end(_ result: Result<Void, any Error>) {
        switch result {
        case .success: end(.finished)
        case .failure(is CancellationError): end(.cancelled)
        case .failure(let error): end(.failed(error))
        }
    }

    /// Ends the session, unless it has ended: reports it, stops the work, resumes all waiting callers.
    private func end(_ ending: SessionLifecycle.Ending) {
        var last: [TranscriptionEvent] = [.init(.state(ending.state), position: 0)]
        if case .failed(let error) = ending {
            last.insert(.init(.error(TranscriptionFailure(error)), position: 0), at: 0)
        }
        var (isFirst, readers) = (false, [Waking]())
        let callers = state.deferredUpdate { state in
            isFirst = state.lifecycle.end(ending)
            if isFirst { readers = broadcast.putEnd(last) }
        }
        if isFirst { ended.cancel() }
        for wake in readers + callers { wake() }
    }

    /// Sends the new state; called under the lock, so that states come in order.
    ///
    /// The broadcast keeps positions from going back.
    private func report(_ state: inout State) {
        state.wakings += broadcast.put(.init(.state(state.lifecycle.state), position: 0))
    }
}
