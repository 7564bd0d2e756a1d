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
    package struct Choice: Sendable {
        /// The engine, not started yet.
        package let engine: any TranscriptionEngine
        package let provider: String
        /// Why the providers before it were not chosen, in sentences for users; nil when there is nothing to explain.
        package let fallbackReason: String?
    }

    private let providers: [any TranscriptionEngineProvider]

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

/// Makes engines of one kind, and reports what they support on this machine.
package protocol TranscriptionEngineProvider: Sendable {
    /// The name of the kind of engine, shown to the user.
    var name: String { get }

    /// Whether the request can be run on this machine; loads and downloads nothing large.
    func capability(for request: EngineRequest) async -> EngineCapability

    /// Downloads and loads what its engines need; returns at once when that has been done before.
    ///
    /// - Parameter progress: Receives the progress, for a download as often as it is worth showing.
    /// - Throws: The reason why the assets are unavailable; `CancellationError` soon after the task was cancelled.
    func prepareAssets(for request: EngineRequest, progress: @escaping AssetProgress.Handler) async throws

    /// Makes an engine that has not been started; its assets must be prepared.
    func makeEngine(for request: EngineRequest) async throws -> any TranscriptionEngine
}

/// Whether a kind of engine can run a request on this machine.
package enum EngineCapability: Sendable, Hashable {
    /// Everything the engine needs is on this machine; loading it may still take seconds.
    case ready
    /// Something has to be downloaded or installed first: a sentence such as “The German model has to be downloaded.”
    case needsAssets(String)
    /// The request cannot be run here; the sentence says why and, where possible, what helps.
    case unavailable(reason: String)
}

package struct AssetProgress: Sendable, Hashable {
    /// Receives the progress, in order, on any thread; it must return soon.
    package typealias Handler = @Sendable (AssetProgress) -> Void

    /// The fraction that is done, from 0 to 1; nil when it is unknown.
    package let fraction: Double?
    /// The current step, as a sentence for users.
    package let message: String

    /// Creates a report; a fraction outside 0 to 1 is clamped, and one that is not a number counts as unknown.
    package init(fraction: Double?, message: String) {
        self.fraction = fraction.flatMap { $0.isNaN ? nil : min(1, max(0, $0)) }
        self.message = message
    }
}
