import Foundation
import Steno
import StenoModelStore
import StenoModels

/// Finds the model of a configuration, and downloads it if possible and allowed.
struct ModelFinder: Sendable {
    typealias Progress = @Sendable (DownloadProgress) -> Void

    /// The current finder, which downloads from the Hugging Face hub; tests replace it within a task.
    @TaskLocal static var current = ModelFinder(
        ModelSupply<Progress> { try await ModelDownloader().download($0, progress: $1) })

    private let supply: ModelSupply<Progress>

    init(_ supply: ModelSupply<Progress>) { self.supply = supply }

    func folder(_ config: WhisperKitConfig, progress: @escaping Progress) async throws -> URL {
        let locator = supply.locator
        if let folder = config.modelFolder { return try locator.locate(folder).folder }
        if let repository = config.modelRepo, !repository.hasPrefix(WhisperKitModelName.coreMLRepository) {
            return try await found(repository, config, progress)
        }
        guard let name = config.model else {
            do { return try locator.locate().folder } catch  where !locator.isDefaultNamed {
                return try await found(ModelCatalog.standard, config, progress)
            }
        }
        return try await found(WhisperKitModelName(name).stenoName(), config, progress)
    }

    private func found(_ name: String, _ config: WhisperKitConfig, _ progress: @escaping Progress) async throws -> URL {
        do {
            if let folder = try await supply.folder(of: name, mayDownload: config.download, progress: progress) {
                return folder
            }
        } catch let error as StenoError {
            throw WhisperError.modelsUnavailable(error.message)
        }
        throw WhisperError.modelsUnavailable(
            "The model “\(name)” is not on this machine"
                + (config.download ? "." : ", and the configuration does not allow downloads.")
                + " Install it with `steno models download \(name)`, or give the folder of a model as modelFolder.")
    }
}
