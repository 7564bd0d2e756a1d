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

    /// Creates a factory with providers in order of preference.
    package init(_ providers: [any TranscriptionEngineProvider]) { self.providers = providers }

    /// Prepares the assets of the first suitable engine and makes it.
    ///
    /// - Throws: `StenoError.engineUnavailable` with every provider's reason when there is none; `CancellationError`.
    package func makeEngine(
        for request: EngineRequest, progress: @escaping AssetProgress.Handler = { _ in }
    ) async throws -> Choice {
        var attempts = Attempts(names: providers.map(\.name))
        func tries(_ index: Int) async throws -> Choice? {
            let provider = providers[index]
            do {
                try await provider.prepareAssets(for: request, progress: progress)
                return Choice(
                    engine: try await provider.makeEngine(for: request), provider: provider.name,
                    fallbackReason: attempts.reason(forChoosing: index))
            } catch {
                // An error that follows from cancelling says nothing about the provider.
                if error is CancellationError || Task.isCancelled { throw CancellationError() }
                attempts.reasons[index] = "\(error)"
                return nil
            }
        }
        for (index, provider) in providers.enumerated() {
            try Task.checkCancellation()
            switch await provider.capability(for: request) {
            case .ready: if let choice = try await tries(index) { return choice }
            case .needsAssets(let sentence): attempts.postponed[index] = sentence
            case .unavailable(let reason): attempts.reasons[index] = reason
            }
        }
        for index in attempts.postponed.keys.sorted() {
            attempts.postponed[index] = nil
            if let choice = try await tries(index) { return choice }
        }
        throw attempts.failure
    }
}

/// The outcome for each provider while an engine is chosen.
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
