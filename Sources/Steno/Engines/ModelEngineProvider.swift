public import StenoCore

/// Makes ``ModelEngine``s over one loaded model.
public struct ModelEngineProvider: TranscriptionEngineProvider {
    /// The name shown to the user.
    public let name: String

    private let loader: SharedModel
    private let pace: ModelEngine.Pace

    /// Creates a provider with a loaded model.
    public init(model: any SpeechModel, pace: ModelEngine.Pace = .realTime) {
        name = model.information.family
        loader = SharedModel { model }
        self.pace = pace
    }

    /// Creates a provider that finds a model by name or path when it is first needed, and loads it once.
    ///
    /// - Parameters:
    ///   - name: As ``ModelLocator/locate(_:)`` takes it; nil is the default model.
    public init(
        model name: String? = nil, locator: ModelLocator = ModelLocator(), precision: Precision = .automatic,
        threads: Int? = nil, pace: ModelEngine.Pace = .realTime
    ) {
        self.name = "Whisper"
        loader = SharedModel(locate: { _ = try locator.locate(name) }) {
            try await Transcriber.load(try locator.locate(name).folder, precision: precision, threads: threads).model
        }
        self.pace = pace
    }

    /// Whether there is a model that supports the options.
    public func capability(for options: LiveOptions) async -> EngineCapability {
        if let model = await loader.loaded { return Self.capability(of: model, for: options) }
        do {
            try loader.locate()
            return .needsAssets("The model has to be loaded.")
        } catch {
            return .unavailable(reason: "\(error)")
        }
    }

    /// Loads the model.
    public func prepareAssets(for options: LiveOptions) async throws { _ = try await loader.model() }

    /// Makes an engine that shares the model.
    public func makeEngine(for options: LiveOptions) async throws -> any TranscriptionEngine {
        try ModelEngine(model: try await loader.model(), options: options, pace: pace)
    }

    private static func capability(of model: any SpeechModel, for options: LiveOptions) -> EngineCapability {
        do {
            _ = try ModelEngine(model: model, options: options)
            return .ready
        } catch {
            return .unavailable(reason: "\(error)")
        }
    }
}

/// Loads a model once, when it is first needed; after a failure the next call tries again.
actor SharedModel {
    nonisolated let locate: @Sendable () throws -> Void
    private let load: @Sendable () async throws -> any SpeechModel
    private(set) var loaded: (any SpeechModel)?
    private var loading: Task<any SpeechModel, any Error>?

    init(
        locate: @escaping @Sendable () throws -> Void = {}, load: @escaping @Sendable () async throws -> any SpeechModel
    ) {
        self.locate = locate
        self.load = load
    }

    func model() async throws -> any SpeechModel {
        if let loaded { return loaded }
        let task = loading ?? Task { [load] in try await load() }
        loading = task
        // Several callers wait for one loading. When it has failed, the first of them to continue may have begun another,
        // which the rest must leave alone.
        defer { if loading == task { loading = nil } }
        let model = try await task.value
        loaded = model
        return model
    }
}
