import Foundation
import Steno
import StenoModelStore
import StenoModels

/// Finds the model of a configuration, and installs it where that is possible.
protocol ModelFinder: Sendable {
    /// The folder of the model, which is downloaded first where that is possible and allowed.
    func folder(
        _ config: WhisperKitConfig, progress: @escaping @Sendable (DownloadProgress) -> Void
    ) async throws -> URL
}

/// The models that are on this machine, and those that can be downloaded, if there is a way.
struct ModelsOnThisMachine: ModelFinder {
    /// Downloads a model; returns its folder.
    typealias Download =
        @Sendable (
            _ name: String, _ progress: @escaping @Sendable (DownloadProgress) -> Void
        ) async throws -> URL

    /// The installer in use, which downloads from the Hugging Face hub; tests give another to the calls of one task.
    @TaskLocal static var installer: any ModelFinder = ModelsOnThisMachine {
        try await ModelDownloader().download($0, progress: $1)
    }

    /// The model that is taken where none is named and none is the default.
    private static let standard = "base"

    private let locator: ModelLocator
    private let download: Download?

    init(locator: ModelLocator = ModelLocator(), download: Download? = nil) {
        self.locator = locator
        self.download = download
    }

    func folder(
        _ config: WhisperKitConfig, progress: @escaping @Sendable (DownloadProgress) -> Void
    ) async throws -> URL {
        if let folder = config.modelFolder { return try locator.locate(folder).folder }
        if let repository = config.modelRepo, !repository.hasPrefix(WhisperKitModelName.coreMLRepository) {
            return try await found(repository, config, progress)
        }
        guard let name = config.model else {
            do { return try locator.locate().folder } catch  where !locator.isDefaultNamed {
                return try await found(Self.standard, config, progress)
            }
        }
        return try await found(WhisperKitModelName(name).stenoName(), config, progress)
    }

    private func found(
        _ name: String, _ config: WhisperKitConfig, _ progress: @escaping @Sendable (DownloadProgress) -> Void
    ) async throws -> URL {
        if let found = try? locator.locate(name) { return found.folder }
        if config.download, let download {
            do {
                return try await download(name, progress)
            } catch let error as StenoError {
                throw WhisperError.modelsUnavailable(error.message)
            }
        }
        throw WhisperError.modelsUnavailable(
            "The model “\(name)” is not on this machine"
                + (config.download ? "." : ", and the configuration forbids to download it.")
                + " Install it with `steno models download \(name)`, or give the folder of a model as modelFolder.")
    }
}
