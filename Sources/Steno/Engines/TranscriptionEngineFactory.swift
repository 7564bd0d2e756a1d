/// Chooses an engine that supports the options, and reports why it is not the first choice.
///
///     let factory = TranscriptionEngineFactory([ModelEngineProvider()])
///     let choice = try await factory.makeEngine(for: LiveOptions(language: "de"))
///     if let reason = choice.fallbackReason { print(reason) }
public struct TranscriptionEngineFactory: Sendable {
    /// An engine and the reason for the choice.
    public struct Choice: Sendable {
        /// The engine, not started yet.
        public let engine: any TranscriptionEngine
        /// The name of its provider.
        public let provider: String
        /// Why the preceding providers were not chosen, in a sentence for users; nil for the first choice.
        public let fallbackReason: String?
    }

    private let providers: [any TranscriptionEngineProvider]

    /// Creates a factory with providers in order of preference.
    public init(_ providers: [any TranscriptionEngineProvider]) { self.providers = providers }

    /// The availability of each provider for these options, in order of preference.
    public func probe(for options: LiveOptions) async -> [(provider: String, capability: EngineCapability)] {
        var found: [(provider: String, capability: EngineCapability)] = []
        for provider in providers { found.append((provider.name, await provider.capability(for: options))) }
        return found
    }

    /// Downloads and loads the assets of the first suitable engine, so that it starts at once later.
    ///
    /// - Throws: When no provider supports the options, or the assets are unavailable.
    public func prepareAssets(for options: LiveOptions) async throws {
        _ = try await first(for: options) { try await $0.prepareAssets(for: options) }
    }

    /// Makes the first suitable engine; a provider that fails to make one is skipped.
    ///
    /// - Throws: `StenoError.engineUnavailable` with every provider's reason when there is none.
    public func makeEngine(for options: LiveOptions) async throws -> Choice {
        let found = try await first(for: options) { provider in
            try await provider.prepareAssets(for: options)
            return try await provider.makeEngine(for: options)
        }
        return Choice(engine: found.value, provider: found.provider, fallbackReason: found.reason)
    }

    private func first<Value>(
        for options: LiveOptions, _ attempt: (any TranscriptionEngineProvider) async throws -> Value
    ) async throws -> (value: Value, provider: String, reason: String?) {
        var reasons: [String] = []
        for provider in providers {
            do {
                if case .unavailable(let reason) = await provider.capability(for: options) {
                    reasons.append("\(provider.name): \(reason)")
                    continue
                }
                let value = try await attempt(provider)
                return (value, provider.name, reasons.isEmpty ? nil : reasons.joined(separator: " "))
            } catch let error where !(error is CancellationError) {
                reasons.append("\(provider.name): \(error)")
            }
        }
        throw StenoError(
            .engineUnavailable,
            reasons.isEmpty
                ? "There is no engine to choose from." : "No engine can do this. " + reasons.joined(separator: " "))
    }
}

/// Makes engines of one kind, and reports what they support on this platform.
public protocol TranscriptionEngineProvider: Sendable {
    /// The name of the kind of engine, shown to the user.
    var name: String { get }

    /// Whether the options are supported on this platform; loads and downloads nothing large.
    func capability(for options: LiveOptions) async -> EngineCapability

    /// Downloads and loads what its engines need; a second call returns at once.
    func prepareAssets(for options: LiveOptions) async throws

    /// Makes an engine; its assets must be prepared.
    func makeEngine(for options: LiveOptions) async throws -> any TranscriptionEngine
}

/// The availability of a kind of engine.
public enum EngineCapability: Sendable, Hashable {
    /// Starts at once.
    case ready
    /// Available once its assets are prepared; the sentence says which.
    case needsAssets(String)
    /// Not available; the sentence says why and, where possible, gives the remedy.
    case unavailable(reason: String)
}
