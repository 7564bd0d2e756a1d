import Foundation
import StenoCore

/// The loaded networks of ``SpeakerModels``, shared by all recordings.
final class SpeakerNetworks: Sendable {
    let segmentation: SegmentationModel
    let embedding: CAMPlusModel

    private init(_ models: SpeakerModels) throws {
        segmentation = try SegmentationModel.load(models.segmentation)
        embedding = try CAMPlusModel.load(models.embedding)
    }

    /// The networks of a folder, loaded on first use; those of the latest folder are kept.
    static func loaded(from models: SpeakerModels) throws -> SpeakerNetworks { try latest.networks(of: models) }

    private static let latest = Latest()

    /// Unchecked, because the compiler cannot see that `kept` is only accessed while `lock` is held.
    private final class Latest: @unchecked Sendable {
        private let lock = NSLock()
        private var kept: (models: SpeakerModels, networks: SpeakerNetworks)?

        func networks(of models: SpeakerModels) throws -> SpeakerNetworks {
            lock.lock()
            defer { lock.unlock() }
            if let kept, kept.models == models { return kept.networks }
            let networks = try SpeakerNetworks(models)
            kept = (models, networks)
            return networks
        }
    }
}

extension SegmentationState: LocalSpeakerNetwork {}

/// CAM++ on the frames in which a local speaker speaks.
final class CAMPlusVoices: LocalVoiceNetwork {
    private let filters: KaldiFilterBank
    private let state: CAMPlusState

    /// - Throws: ``StenoError`` with code `outOfMemory`.
    init(_ model: CAMPlusModel) throws {
        filters = try KaldiFilterBank()
        state = try model.makeState()
    }

    func voices(in window: [Float], frames: [[Bool]]) -> [SpeakerEmbedding?] {
        let features = filters.features(window)
        let rows = KaldiFilterBank.frames(in: window.count)
        return frames.map { speaking in
            let picked = (0..<rows).map { speaking[min(Self.frame(ofRow: $0), speaking.count - 1)] }
            return features.withUnsafeBufferPointer { state.embedding(of: $0, picking: picked) }
        }
    }

    /// The frame of the segmentation whose centre is nearest to that of a row.
    private static func frame(ofRow row: Int) -> Int {
        let (step, first) = (SegmentationModel.frameStep, SegmentationModel.firstFrameCentre)
        let centre = KaldiFilterBank.frameLength / 2 + row * KaldiFilterBank.hopLength
        return max(0, centre - first + step / 2) / step
    }
}
