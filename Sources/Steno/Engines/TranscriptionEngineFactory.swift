/// Finds an engine that can do what is asked, and says why when it is not the first choice.
///
///     let factory = TranscriptionEngineFactory([ModelEngineProvider()])
///     let choice = try await factory.makeEngine(for: LiveOptions(language: "de"))
///     if let reason = choice.fallbackReason { print(reason) }
public struct TranscriptionEngineFactory: Sendable {
    /// An engine, and how it came to be chosen.
    public struct Choice: Sendable {
        /// The engine, not started yet.
        public let engine: any TranscriptionEngine
        /// The name of its provider.
        public let provider: String
        /// Why the providers before it were not taken, in a sentence for people; nil for the first choice.
        public let fallbackReason: String?
    }

    private let providers: [any TranscriptionEngineProvider]

    /// Creates a factory over providers, the first choice first.
    public init(_ providers: [any TranscriptionEngineProvider]) { self.providers = providers }

    /// What each provider can do for these options, in the order of choice.
    public func probe(for options: LiveOptions) async -> [(provider: String, capability: EngineCapability)] {
        var found: [(provider: String, capability: EngineCapability)] = []
        for provider in providers { found.append((provider.name, await provider.capability(for: options))) }
        return found
    }

    /// Fetches and loads what the first engine that can do it needs, so that it starts at once later.
    ///
    /// - Throws: When no provider can, or the assets cannot be had.
    public func prepareAssets(for options: LiveOptions) async throws {
        _ = try await first(for: options) { try await $0.prepareAssets(for: options) }
    }

    /// Makes the first engine that can do it: one whose making fails is passed over as one that cannot.
    ///
    /// - Throws: `StenoError.engineUnavailable` with every provider's reason when none can.
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

/// Makes engines of one kind, and knows what they can do here.
public protocol TranscriptionEngineProvider: Sendable {
    /// What people call the kind of engine.
    var name: String { get }

    /// What it can do with these options on this platform, without loading or fetching anything large.
    func capability(for options: LiveOptions) async -> EngineCapability

    /// Fetches and loads what its engines need; a second call returns at once.
    func prepareAssets(for options: LiveOptions) async throws

    /// Makes an engine, whose assets are prepared.
    func makeEngine(for options: LiveOptions) async throws -> any TranscriptionEngine
}

/// What a kind of engine can do.
public enum EngineCapability: Sendable, Hashable {
    /// It can start at once.
    case ready
    /// It can once its assets are prepared; the sentence says what they are.
    case needsAssets(String)
    /// It cannot; the sentence says why and, where there is one, the remedy.
    case unavailable(reason: String)
}
