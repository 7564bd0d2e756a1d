package import StenoCore

/// Loads a model once, when it is first needed; after a failure the next call tries again.
///
/// A caller whose task is cancelled waits no longer; when nobody waits any more, the loading is cancelled.
package actor SharedModel {
    /// Finds the model without loading it; nil when there is nothing to find.
    nonisolated let locate: (@Sendable () throws -> LocatedModel)?
    private let load: @Sendable () async throws -> any SpeechModel
    private var state: LoadingState<any SpeechModel>
    private var waiters: [Int: CheckedContinuation<any SpeechModel, any Error>] = [:]
    private var task: Task<Void, Never>?
    private var callers = 0

    /// Shares a loaded model.
    init(_ model: any SpeechModel) {
        (locate, load) = (nil, { model })
        state = LoadingState(value: model)
    }

    /// Shares a model that is found and loaded when it is first needed.
    package init(
        locate: @escaping @Sendable () throws -> LocatedModel,
        load: @escaping @Sendable (LocatedModel) async throws -> any SpeechModel
    ) {
        (self.locate, self.load) = (locate, { try await load(try locate()) })
        state = LoadingState()
    }

    /// Shares a model that is loaded when it is first needed.
    package init(loading load: @escaping @Sendable () async throws -> any SpeechModel) {
        (locate, self.load) = (nil, load)
        state = LoadingState()
    }

    /// The model, if it is loaded.
    package var loaded: (any SpeechModel)? { state.value }

    /// The model, loaded first if necessary.
    package func model(progress: AssetProgress.Handler = { _ in }) async throws -> any SpeechModel {
        if let loaded = state.value { return loaded }
        progress(AssetProgress(fraction: nil, message: "Loading the model."))
        callers += 1
        let caller = callers
        let model = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { join(caller, $0) }
        } onCancel: {
            Task { await leave(caller) }
        }
        progress(AssetProgress(fraction: 1, message: "The model is loaded."))
        return model
    }

    private func join(_ caller: Int, _ continuation: CheckedContinuation<any SpeechModel, any Error>) {
        // The handler above calls `leave` only after this.
        if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
        waiters[caller] = continuation
        guard let attempt = state.join(caller) else { return }
        task = Task { [load] in
            let result: Result<any SpeechModel, any Error>
            do { result = .success(try await load()) } catch { result = .failure(error) }
            end(attempt, result)
        }
    }

    private func leave(_ caller: Int) {
        guard let waiter = waiters.removeValue(forKey: caller) else { return }
        if state.leave(caller) { task?.cancel() }
        waiter.resume(throwing: CancellationError())
    }

    private func end(_ attempt: Int, _ result: Result<any SpeechModel, any Error>) {
        for caller in state.end(attempt, value: try? result.get()) {
            waiters.removeValue(forKey: caller)?.resume(with: result)
        }
    }
}

/// Which attempt to load a value is running and who waits for it, without the loading itself.
struct LoadingState<Value> {
    /// What has been loaded; it stays.
    private(set) var value: Value?
    private var attempts = 0
    /// The number of the attempt that is running; nil when there is none.
    private var running: Int?
    private var callers: Set<Int> = []

    init(value: Value? = nil) { self.value = value }

    /// A caller waits; returns the number of the attempt to start, or nil when it waits for one that is running.
    mutating func join(_ caller: Int) -> Int? {
        callers.insert(caller)
        guard running == nil else { return nil }
        attempts += 1
        running = attempts
        return attempts
    }

    /// A caller waits no longer; true when it was the last one, so that the attempt is to be cancelled.
    mutating func leave(_ caller: Int) -> Bool {
        guard callers.remove(caller) != nil, callers.isEmpty, running != nil else { return false }
        running = nil
        return true
    }

    /// An attempt has ended, with a value or without; returns the callers that waited for it.
    ///
    /// The end of an attempt that was cancelled changes nothing: others may wait for a newer one by then.
    mutating func end(_ attempt: Int, value: Value?) -> Set<Int> {
        guard running == attempt else { return [] }
        running = nil
        self.value = value
        defer { callers = [] }
        return callers
    }
}
