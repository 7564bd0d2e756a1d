package import StenoCore

/// Loads a model once, when it is first needed; after a failure the next call tries again.
///
/// A caller whose task is cancelled stops waiting; when none is left, loading is cancelled.
package actor SharedModel {
    /// Finds the model without loading it; nil when there is nothing to find.
    nonisolated let locate: (@Sendable () throws -> LocatedModel)?
    private let load: @Sendable () async throws -> any SpeechModel
    package private(set) var loaded: (any SpeechModel)?
    private var attempt: Attempt?

    private typealias Outcome = Result<any SpeechModel, any Error>

    private struct Attempt {
        /// The result, for the callers that wait.
        let outcome = Monitor<Outcome?>(nil)
        var task: Task<Void, Never>?
        var callers = 0
    }

    init(_ model: any SpeechModel) {
        (locate, load) = (nil, { model })
        loaded = model
    }

    /// Shares a model that is found and loaded when it is first needed.
    package init(
        locate: @escaping @Sendable () throws -> LocatedModel,
        load: @escaping @Sendable (LocatedModel) async throws -> any SpeechModel
    ) {
        (self.locate, self.load) = (locate, { try await load(try locate()) })
    }

    package init(loading load: @escaping @Sendable () async throws -> any SpeechModel) {
        (locate, self.load) = (nil, load)
    }

    /// The model, loaded first if necessary.
    package func model(progress: AssetProgress.Handler = { _ in }) async throws -> any SpeechModel {
        if let loaded { return loaded }
        try Task.checkCancellation()
        progress(AssetProgress(fraction: nil, message: "Loading the model."))
        let outcome = join()
        defer { leave(outcome) }
        let result = try await outcome.wait { outcome -> Outcome? in outcome }
        let model = try result.get()
        progress(AssetProgress(fraction: 1, message: "The model is loaded."))
        return model
    }

    /// Adds a caller to the current attempt, or to a new one.
    private func join() -> Monitor<Outcome?> {
        var attempt = self.attempt ?? begin()
        attempt.callers += 1
        self.attempt = attempt
        return attempt.outcome
    }

    private func begin() -> Attempt {
        var attempt = Attempt()
        let outcome = attempt.outcome
        attempt.task = Task { [load] in
            let result: Outcome
            do { result = .success(try await load()) } catch { result = .failure(error) }
            end(outcome, result)
        }
        return attempt
    }

    /// Removes a caller; the last one cancels the attempt, unless it has ended.
    private func leave(_ outcome: Monitor<Outcome?>) {
        guard var attempt, attempt.outcome === outcome else { return }
        attempt.callers -= 1
        self.attempt = attempt.callers > 0 ? attempt : nil
        if attempt.callers == 0 { attempt.task?.cancel() }
    }

    /// Ends an attempt; if it was cancelled, nothing changes, since callers may be waiting for a newer one by then.
    private func end(_ outcome: Monitor<Outcome?>, _ result: Outcome) {
        if attempt?.outcome === outcome {
            attempt = nil
            loaded = try? result.get()
        }
        outcome.update { $0 = result }
    }
}
