import Foundation
import Steno
import StenoModelStore
import StenoModels

/// Finds, downloads and removes models by the names of SwiftFasterWhisper's API.
struct ModelFinder: Sendable {
    typealias Supply = ModelSupply<DownloadProgressCallback?>

    /// The current finder; tests replace it within a task.
    @TaskLocal static var current = ModelFinder()

    private let supply: Supply
    private let store: ModelStore
    private let environment: [String: String]

    init(
        _ supply: Supply = Supply { name, progress in
            guard let progress else { return try await ModelDownloader().download(name) }
            return try await ModelDownloader().download(name, onFile: progress)
        },
        store: ModelStore = ModelStore(), environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        (self.supply, self.store, self.environment) = (supply, store, environment)
    }

    /// The folder of a model on this machine; nil if there is none of that name.
    func installedFolder(of name: String) -> URL? { supply.installedFolder(of: name) }

    /// The folder named by `$WHISPER_MODEL_PATH`, otherwise the model's, which is downloaded if missing.
    func folder(of name: String, progress: DownloadProgressCallback?) async throws -> URL {
        if let path = environment["WHISPER_MODEL_PATH"], !path.isEmpty { return URL(userPath: path) }
        return try await supply.folder(
            of: name, orGivenAs: "modelPath", progress: progress, failure: RecognitionError.modelLoadFailed)
    }

    /// The folder that models are downloaded into, which need not exist.
    var modelsFolder: URL { store.folder }

    /// The folders of downloaded models; other files there are ignored.
    var installedModels: [URL] { store.models.map(\.folder) }

    func removeInstalledModels() throws {
        for model in store.models { try store.remove(model.name) }
    }
}

/// The model to load: a given folder, or a size.
enum ModelSource: Sendable {
    case path(String)
    case size(WhisperModelSize)

    /// - Throws: ``RecognitionError``; `CancellationError`.
    func load(progress: DownloadProgressCallback?) async throws -> Transcriber {
        do {
            return try await Transcriber.load(.folder(folder(progress: progress)))
        } catch let error as StenoError {
            throw RecognitionError.modelLoadFailed(error.message)
        }
    }

    private func folder(progress: DownloadProgressCallback?) async throws -> URL {
        switch self {
        case .size(let size): return try await ModelFinder.current.folder(of: size.modelName, progress: progress)
        case .path(let path):
            let folder = URL(userPath: path)
            guard FileManager.default.fileExists(atPath: folder.path) else { throw RecognitionError.invalidModelPath }
            return folder
        }
    }
}

extension URL {
    /// The file at a path typed by a user; a leading `~` is the home folder.
    init(userPath path: String) { self = path.fileURL(home: URL(fileURLWithPath: NSHomeDirectory())) }
}
