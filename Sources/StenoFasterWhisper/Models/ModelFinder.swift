import Foundation
import Steno
import StenoModelStore
import StenoModels

/// Finds models by name, and installs them where that is possible.
protocol ModelFinder: Sendable {
    /// The folder of a model on this machine; nil if there is none of that name.
    func installedFolder(of name: String) -> URL?

    /// The folder of a model, which is downloaded first where that is possible.
    func folder(of name: String, progress: DownloadProgressCallback?) async throws -> URL

    /// The folder that models are installed in, which need not exist.
    var modelsFolder: URL { get throws }

    /// The folders of the models that were installed there, and nothing else that lies there.
    func installedModels() throws -> [URL]

    /// Removes the models that were installed there.
    func removeInstalledModels() throws
}

/// The models that are on this machine, and those of the Hugging Face hub, which are downloaded when they are missing.
struct HubModels: ModelFinder {
    /// Downloads a model by its name; returns its folder.
    typealias Download = @Sendable (_ name: String, _ progress: DownloadProgressCallback?) async throws -> URL

    private let local: ModelsOnThisMachine
    private let store: ModelStore
    private let download: Download

    /// - Parameters:
    ///   - local: Finds models.
    ///   - store: Where downloaded models are.
    ///   - download: Downloads into the store.
    init(
        local: ModelsOnThisMachine = ModelsOnThisMachine(), store: ModelStore = ModelStore(),
        download: @escaping Download = { name, progress in
            guard let progress else { return try await ModelDownloader().download(name) }
            return try await ModelDownloader().download(name, onFile: progress)
        }
    ) {
        self.local = local
        self.store = store
        self.download = download
    }

    func installedFolder(of name: String) -> URL? { local.installedFolder(of: name) }

    func folder(of name: String, progress: DownloadProgressCallback?) async throws -> URL {
        if let folder = local.givenFolder ?? installedFolder(of: name) { return folder }
        do {
            return try await download(name, progress)
        } catch let error as StenoError {
            throw RecognitionError.modelLoadFailed(error.message)
        }
    }

    var modelsFolder: URL { store.folder }

    func installedModels() -> [URL] { store.models.map(\.folder) }

    func removeInstalledModels() throws {
        for model in store.models { try store.remove(model.name) }
    }
}

/// The models that are on this machine; it downloads nothing.
struct ModelsOnThisMachine: ModelFinder {
    /// The installer in use; tests give another to the calls of one task.
    @TaskLocal static var installer: any ModelFinder = HubModels()

    private let locator: ModelLocator
    private let environment: [String: String]

    init(
        locator: ModelLocator = ModelLocator(), environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.locator = locator
        self.environment = environment
    }

    func installedFolder(of name: String) -> URL? { (try? locator.locate(name))?.folder }

    /// The folder that `$WHISPER_MODEL_PATH` names.
    var givenFolder: URL? {
        environment["WHISPER_MODEL_PATH"].flatMap { $0.isEmpty ? nil : URL(userPath: $0) }
    }

    func folder(of name: String, progress: DownloadProgressCallback?) async throws -> URL {
        if let folder = givenFolder ?? installedFolder(of: name) { return folder }
        throw RecognitionError.modelLoadFailed(
            "The Whisper model “\(name)” is not on this machine. Install it with `steno models download \(name)`, or give "
                + "the folder of a model as modelPath.")
    }

    var modelsFolder: URL {
        get throws {
            guard let folder = locator.modelsFolders.last else {
                throw RecognitionError.modelLoadFailed("This machine has no folder for models.")
            }
            return folder
        }
    }

    func installedModels() throws -> [URL] {
        let parent = try modelsFolder.standardizedFileURL.path + "/"
        return locator.all().map(\.folder).filter { $0.standardizedFileURL.path.hasPrefix(parent) }
    }

    func removeInstalledModels() throws {
        for folder in try installedModels() { try FileManager.default.removeItem(at: folder) }
    }
}
