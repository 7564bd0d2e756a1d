public import Foundation
import Steno

/// Reports the progress of a download: the file, the fraction done (0 to 1), the bytes so far and in total.
public typealias DownloadProgressCallback = @Sendable (String, Double, Int64, Int64) -> Void

/// The name of ``ModelFileManager`` in SwiftFasterWhisper's README.
public typealias ModelManager = ModelFileManager

/// Finds, measures and removes the models on this machine.
public enum ModelFileManager {
    /// The folder for installed models; it may not exist yet.
    public static func defaultModelsDirectory() throws -> URL { ModelFinder.current.modelsFolder }

    /// Whether a model is on this machine.
    ///
    /// - Parameter name: A name such as `medium` or `Systran/faster-whisper-medium`, or in SwiftFasterWhisper's form:
    ///   `whisper-medium-ct2`, `whisper-large-v2-ct2-int8`.
    public static func modelExists(name: String) -> Bool {
        let names = [name, modelName(folder: name)].compactMap(\.self)
        return names.contains { ModelFinder.current.installedFolder(of: $0) != nil }
    }

    /// The folder of a model, which is downloaded first if necessary.
    ///
    /// - Throws: ``RecognitionError/modelLoadFailed(_:)``, which says how to install the model; `CancellationError`.
    public static func ensureWhisperModel(
        size: WhisperModelSize = .medium, progressCallback: DownloadProgressCallback? = nil
    ) async throws -> URL { try await ModelFinder.current.folder(of: size.modelName, progress: progressCallback) }

    /// The bytes that the models downloaded into ``defaultModelsDirectory()`` use on disk.
    public static func getModelsSize() throws -> Int64 {
        try ModelFinder.current.installedModels.reduce(0) { try $0 + $1.byteCount }
    }

    /// Removes the models downloaded into ``defaultModelsDirectory()``, and nothing else.
    public static func clearAllModels() throws { try ModelFinder.current.removeInstalledModels() }

    /// The size in the name of a SwiftFasterWhisper folder: `medium` in `whisper-medium-ct2`.
    private static func modelName(folder: String) -> String? {
        guard folder.hasPrefix("whisper-"), let suffix = ["-ct2", "-ct2-int8"].first(where: { folder.hasSuffix($0) })
        else { return nil }
        let size = String(folder.dropFirst("whisper-".count).dropLast(suffix.count))
        return WhisperModelSize(rawValue: size)?.modelName ?? size
    }
}

extension URL {
    /// The total size of the files in this folder; links do not count.
    fileprivate var byteCount: Int64 {
        get throws {
            try FileManager.default.subpathsOfDirectory(atPath: path).reduce(0) { sum, name in
                let file = try FileManager.default.attributesOfItem(atPath: appendingPathComponent(name).path)
                guard file[.type] as? FileAttributeType == .typeRegular else { return sum }
                return sum + (file[.size] as? Int64 ?? 0)
            }
        }
    }
}

/// The sizes of Whisper models; the raw value is Steno's name of the model.
public enum WhisperModelSize: String, Sendable, Hashable, Codable, CaseIterable {
    /// 39 million parameters.
    case tiny
    /// 39 million parameters, English only.
    case tinyEn = "tiny.en"
    /// 74 million parameters.
    case base
    /// 74 million parameters, English only.
    case baseEn = "base.en"
    /// 244 million parameters.
    case small
    /// 244 million parameters, English only.
    case smallEn = "small.en"
    /// 769 million parameters.
    case medium
    /// 769 million parameters, English only.
    case mediumEn = "medium.en"
    /// 1.5 billion parameters, of September 2022.
    case largeV1 = "large-v1"
    /// 1.5 billion parameters, of December 2022.
    case largeV2 = "large-v2"
    /// The same model as ``largeV2``: Steno computes every model in int8.
    case largeV2Int8 = "large-v2-int8"
    /// 1.5 billion parameters and 128 mel bands, of November 2023.
    case largeV3 = "large-v3"
    /// 0.8 billion parameters: ``largeV3`` with a decoder of four layers.
    case turbo

    /// The name by which Steno finds the model.
    var modelName: String { self == .largeV2Int8 ? WhisperModelSize.largeV2.rawValue : rawValue }
}
