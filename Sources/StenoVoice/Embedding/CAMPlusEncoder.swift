import StenoCore

/// CAM++ for windows of 1.6 s, as the diarization of windows compares them.
package final class CAMPlusEncoder: SpeakerEncoder {
    /// Frames of the filter bank in a window.
    private static let frames = 160

    package let windowLength = (frames - 1) * KaldiFilterBank.hopLength + KaldiFilterBank.frameLength
    package let width = CAMPlusModel.width
    package let batch = 4
    private let filterBank: KaldiFilterBank
    private let state: CAMPlusState

    /// - Throws: ``StenoError`` with code `outOfMemory`.
    package init(_ model: CAMPlusModel) throws {
        filterBank = try KaldiFilterBank()
        state = try model.makeState(frames: Self.frames)
    }

    package func embed(_ samples: UnsafePointer<Float>, windows: Int, into embeddings: UnsafeMutablePointer<Float>) {
        for window in 0..<windows {
            let own = UnsafeBufferPointer(start: samples + window * windowLength, count: windowLength)
            let embedding = filterBank.features(own).withUnsafeBufferPointer { state.embedding(of: $0) }
            for (index, value) in (embedding?.values ?? []).enumerated() { embeddings[window * width + index] = value }
        }
    }
}
