import Foundation
import Steno

/// The model to load: a given folder, or a size.
enum ModelSource: Sendable {
    case path(String)
    case size(WhisperModelSize)

    /// Loads the model.
    ///
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
        case .size(let size):
            return try await ModelFinder.current.folder(of: size.modelName, progress: progress)
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
