/// Chooses an engine that can run a request, and reports why it is not the first choice.
///
///     let factory = TranscriptionEngineFactory([ModelEngineProvider()])
///     let choice = try await factory.makeEngine(for: EngineRequest(language: "de"))
///     if let reason = choice.fallbackReason { print(reason) }
///
/// Providers are given in order of preference. Those that are ready come first, in that order, because a user who wants
/// to speak now should not wait for a download; then, in the same order, those that need assets. A provider that is
/// unavailable or fails is skipped with its reason, and none is tried twice for one call.
package struct TranscriptionEngineFactory: Sendable {
    /// An engine and the reason for the choice.
    package struct Choice: Sendable {
        /// The engine, not started yet.
        package let engine: any TranscriptionEngine
        /// The name of its provider.
        package let provider: String
        /// Why the providers before it were not chosen, in sentences for users; nil when there is nothing to explain.
        package let fallbackReason: String?
    }

    private let providers: [any TranscriptionEngineProvider]
    private let prefersReady: Bool

    /// Creates a factory.
    ///
    /// - Parameters:
    ///   - providers: In order of preference.
    ///   - prefersReady: Whether an engine that is ready is preferred to an earlier one that needs a download; false
    ///     keeps strictly to the order.
    package init(_ providers: [any TranscriptionEngineProvider], prefersReady: Bool = true) {
        self.providers = providers
        self.prefersReady = prefersReady
    }

    /// What each provider says about the request, in order of preference.
    package func probe(for request: EngineRequest) async -> [(provider: String, capability: EngineCapability)] {
        var found: [(provider: String, capability: EngineCapability)] = []
        for provider in providers { found.append((provider.name, await provider.capability(for: request))) }
        return found
    }

    /// Downloads and loads the assets of the engine that ``makeEngine(for:progress:)`` would choose, so that it starts
    /// at once later.
    ///
    /// - Throws: `StenoError.engineUnavailable` with every provider's reason when there is none; `CancellationError`.
    package func prepareAssets(
        for request: EngineRequest, progress: @escaping AssetProgress.Handler = { _ in }
    ) async throws {
        _ = try await first(for: request) { try await $0.prepareAssets(for: request, progress: progress) }
    }

    /// Prepares the assets of the first suitable engine and makes it.
    ///
    /// - Throws: `StenoError.engineUnavailable` with every provider's reason when there is none; `CancellationError`.
    package func makeEngine(
        for request: EngineRequest, progress: @escaping AssetProgress.Handler = { _ in }
    ) async throws -> Choice {
        let found = try await first(for: request) { provider in
            try await provider.prepareAssets(for: request, progress: progress)
            return try await provider.makeEngine(for: request)
        }
        return Choice(engine: found.value, provider: found.provider, fallbackReason: found.reason)
    }

    /// The result of the first attempt that succeeds.
    private func first<Value>(
        for request: EngineRequest, _ attempt: (any TranscriptionEngineProvider) async throws -> Value
    ) async throws -> (value: Value, provider: String, reason: String?) {
        var attempts = Attempts(names: providers.map(\.name))
        func tries(_ index: Int) async throws -> (value: Value, provider: String, reason: String?)? {
            do {
                let value = try await attempt(providers[index])
                return (value, providers[index].name, attempts.reason(forChoosing: index))
            } catch {
                // An error that follows from cancelling says nothing about the provider.
                if error is CancellationError || Task.isCancelled { throw CancellationError() }
                attempts.reasons[index] = "\(error)"
                return nil
            }
        }
        for (index, provider) in providers.enumerated() {
            try Task.checkCancellation()
            let capability = await provider.capability(for: request)
            if capability.kind == .unavailable {
                attempts.reasons[index] = capability.explanation ?? "It is not available."
            } else if prefersReady, capability.kind != .ready {
                attempts.postponed[index] = capability.explanation ?? "It needs a download."
            } else if let found = try await tries(index) {
                return found
            }
        }
        for index in attempts.postponed.keys.sorted() {
            attempts.postponed[index] = nil
            if let found = try await tries(index) { return found }
        }
        throw attempts.failure
    }
}

/// What became of each provider while one was chosen.
private struct Attempts {
    let names: [String]
    /// Why a provider was skipped, by its index.
    var reasons: [Int: String] = [:]
    /// The needs of providers that are tried after the ready ones, by their index.
    var postponed: [Int: String] = [:]

    /// Why others were not chosen; one that would have been tried only later needs no reason.
    func reason(forChoosing chosen: Int) -> String? {
        let passed = reasons.merging(postponed.filter { $0.key < chosen }) { failed, _ in failed }
        return passed.isEmpty ? nil : sentences(passed)
    }

    var failure: StenoError {
        StenoError(
            .engineUnavailable,
            names.isEmpty
                ? "There is no engine to choose from. Pass at least one."
                : "No engine can do this. " + sentences(reasons))
    }

    private func sentences(_ reasons: [Int: String]) -> String {
        reasons.sorted { $0.key < $1.key }.map { "\(names[$0.key]): \($0.value)" }.joined(separator: " ")
    }
}
