import Foundation
import Steno

/// Finds the model of a configuration, and installs it where that is possible.
protocol ModelInstaller: Sendable {
    /// The folder of the model, which is downloaded first where that is possible and allowed.
    func folder(_ config: WhisperKitConfig) async throws -> URL
}

/// The models that are on this machine; it downloads nothing.
struct ModelsOnThisMachine: ModelInstaller {
    /// The installer in use; tests give another to the calls of one task.
    @TaskLocal static var installer: any ModelInstaller = ModelsOnThisMachine()

    private let locator: ModelLocator

    init(locator: ModelLocator = ModelLocator()) { self.locator = locator }

    func folder(_ config: WhisperKitConfig) async throws -> URL {
        if let folder = config.modelFolder { return try locator.locate(folder).folder }
        if let repository = config.modelRepo, !repository.hasPrefix(WhisperKitModelName.coreMLRepository) {
            return try found(repository, config)
        }
        guard let name = config.model else { return try locator.locate().folder }
        return try found(WhisperKitModelName(name).stenoName(), config)
    }

    private func found(_ name: String, _ config: WhisperKitConfig) throws -> URL {
        if let found = try? locator.locate(name) { return found.folder }
        throw WhisperError.modelsUnavailable(
            "The model “\(name)” is not on this machine"
                + (config.download ? "." : ", and the configuration forbids to download it.")
                + " Install it with `steno models download \(name)`, or give the folder of a model as modelFolder.")
    }
}
