import Foundation
import Steno

/// Finds models by name, and installs them where that is possible.
protocol ModelInstaller: Sendable {
    /// The folder of a model on this machine; nil if there is none of that name.
    func installedFolder(of name: String) -> URL?

    /// The folder of a model, which is downloaded first where that is possible.
    func folder(of name: String, progress: DownloadProgressCallback?) async throws -> URL

    /// The folder that models are installed in, which need not exist.
    var modelsFolder: URL { get throws }

    /// The folders of the models that were installed there, and nothing else that lies there.
    func installedModels() throws -> [URL]
}

/// The models that are on this machine; it downloads nothing.
struct ModelsOnThisMachine: ModelInstaller {
    /// The installer in use; tests give another to the calls of one task.
    @TaskLocal static var installer: any ModelInstaller = ModelsOnThisMachine()

    private let locator: ModelLocator
    private let environment: [String: String]

    init(
        locator: ModelLocator = ModelLocator(), environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.locator = locator
        self.environment = environment
    }

    func installedFolder(of name: String) -> URL? { (try? locator.locate(name))?.folder }

    func folder(of name: String, progress: DownloadProgressCallback?) async throws -> URL {
        if let path = environment["WHISPER_MODEL_PATH"], !path.isEmpty { return URL(userPath: path) }
        if let folder = installedFolder(of: name) { return folder }
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
}
