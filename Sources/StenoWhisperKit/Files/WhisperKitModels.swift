public import Foundation
import Steno
import StenoModelStore

extension WhisperKit {
    /// Whether the model is in memory.
    public var modelState: ModelState { model.state }

    /// Loads the model, after downloading it if necessary; if it is already loaded, this does nothing.
    ///
    /// - Parameter prewarmMode: Without effect: a loaded model needs no warming.
    /// - Throws: As ``init(_:)`` does.
    public func loadModels(prewarmMode: Bool = false) async throws { _ = try await model.loaded() }

    /// Loads the model; nothing else needs preparing.
    public func prewarmModels() async throws { try await loadModels() }

    /// Frees the model's memory as soon as no call uses it; the next call loads it again.
    public func unloadModels() async { model.unload() }

    /// Downloads a model, unless it is on this machine.
    ///
    /// - Parameters:
    ///   - variant: A name, as for ``WhisperKitConfig/model``.
    ///   - downloadBase: Without effect: Steno has one folder for models.
    ///   - useBackgroundSession: Without effect.
    ///   - repo: A Hugging Face repository with the model in a format that Steno can read; the repository of
    ///     WhisperKit's Core ML models is replaced by Steno's own.
    ///   - progressCallback: Receives the progress, in bytes, on any thread; it must return soon.
    /// - Returns: The folder, for ``WhisperKitConfig/modelFolder``.
    /// - Throws: ``WhisperError/modelsUnavailable(_:)``; `CancellationError` soon after the task is cancelled.
    public static func download(
        variant: String, downloadBase: URL? = nil, useBackgroundSession: Bool = false,
        from repo: String = "argmaxinc/whisperkit-coreml", progressCallback: (@Sendable (Progress) -> Void)? = nil
    ) async throws -> URL {
        try await WhisperError.wrapping {
            let config = WhisperKitConfig(model: variant, modelRepo: repo)
            return try await ModelFinder.current.folder(config) { part in
                guard let progressCallback, part.size > 0 else { return }
                let progress = Progress(totalUnitCount: Int64(part.size))
                progress.completedUnitCount = Int64(part.received)
                progressCallback(progress)
            }
        }
    }

    /// The names of the downloadable models, without using the network.
    ///
    /// - Parameters:
    ///   - repo: Without effect: Steno has its own version of each model.
    ///   - patterns: Patterns, at least one of which a name must match; `*` matches any text.
    public static func fetchAvailableModels(
        from repo: String = "argmaxinc/whisperkit-coreml", matching patterns: [String] = ["*"]
    ) async throws -> [String] { WhisperKitModelName.all(matching: patterns) }
}
