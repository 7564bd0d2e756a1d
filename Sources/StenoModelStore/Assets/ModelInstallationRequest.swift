public import Foundation
import Steno

/// The installation of a model.
public struct ModelInstallationRequest: Sendable {
    /// The name of the model.
    public let model: String
    /// The progress in bytes, which can be observed; cancelling it cancels the installation.
    public let progress: Progress

    private let assets: ModelAssets

    init(model: String, assets: ModelAssets) {
        self.model = model
        self.assets = assets
        progress = Progress(totalUnitCount: -1)
        progress.kind = .file
    }

    /// Downloads and installs the model; returns when it can be loaded.
    ///
    /// - Parameter report: Receives the progress too, in order, on any thread.
    /// - Returns: The model's folder.
    /// - Throws: As ``ModelDownloader/download(_:force:progress:)`` does.
    @discardableResult
    public func downloadAndInstall(
        report: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
    ) async throws -> URL {
        let task = Task { [progress] in
            try await assets.install(model) { step in
                if step.size > 0 { progress.totalUnitCount = Int64(step.size) }
                progress.completedUnitCount = Int64(step.received)
                report(step)
            }
        }
        progress.cancellationHandler = { task.cancel() }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
