package import Foundation
import StenoCore

/// The networks of ``OverlapDiarizer`` on disk, which are downloaded: pyannote's segmentation-3.0 (MIT, CNRS) and CAM++
/// (Apache-2.0, Alibaba's 3D-Speaker).
///
/// Without them, ``SpeakerDiarizer`` finds the speakers with the networks that come with Steno.
package struct SpeakerModels: Sendable, Hashable {
    package static let folderName = "speakers"
    /// The names of the two files: who speaks when in a window, and whose voice it is.
    package static let segmentationFile = "segmentation.safetensors"
    package static let embeddingFile = "campplus.safetensors"

    /// The folder with both files.
    package let folder: URL

    /// The networks in the first of some models folders that has them; nil if none has.
    ///
    /// - Throws: ``StenoError`` with code `modelDamaged` if a folder has only one of the two files.
    package static func find(in modelsFolders: [URL]) throws -> SpeakerModels? {
        for modelsFolder in modelsFolders {
            let models = SpeakerModels(folder: modelsFolder.appendingPathComponent(folderName))
            let missing = [models.segmentation, models.embedding].filter {
                !FileManager.default.fileExists(atPath: $0.path)
            }
            if missing.isEmpty { return models }
            guard missing.count == 1 else { continue }
            throw StenoError(
                .modelDamaged,
                "The networks that find speakers are incomplete: \(missing[0].path) is missing. Make them again "
                    + "(Documentation/Guides/Speakers.md), or remove the folder to use the one that comes with Steno.")
        }
        return nil
    }

    /// A diarizer at the start of a recording; the networks are loaded once.
    ///
    /// - Throws: ``StenoError``: `modelNotFound`, `modelDamaged`, `modelUnsupported`, `outOfMemory`.
    package func diarizer() throws -> OverlapDiarizer {
        let networks = try SpeakerNetworks.loaded(from: self)
        let settings = OverlapSettings()
        return OverlapDiarizer(
            segmentation: try networks.segmentation.makeState(windows: OverlapDiarizer.batch),
            embedding: try CAMPlusVoices(networks.embedding, frames: settings.mostFrames), settings: settings)
    }

    /// A diarizer for live audio; the networks are loaded once.
    ///
    /// - Throws: ``StenoError``, as ``diarizer()`` does.
    package func liveDiarizer() throws -> OnlineOverlapDiarizer {
        let networks = try SpeakerNetworks.loaded(from: self)
        let settings = OverlapSettings.live
        return OnlineOverlapDiarizer(
            segmentation: try networks.segmentation.makeState(windows: 1),
            embedding: try CAMPlusVoices(networks.embedding, frames: settings.mostFrames), settings: settings)
    }

    var segmentation: URL { folder.appendingPathComponent(Self.segmentationFile) }
    var embedding: URL { folder.appendingPathComponent(Self.embeddingFile) }
}
