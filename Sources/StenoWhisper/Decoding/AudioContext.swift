import StenoCore

/// The number of encoder positions (20 ms each) computed for a window; a full window has 1500.
///
/// Fewer positions take less time, but Whisper was trained on full windows only: below about ten seconds its text
/// degenerates. ``positions(_:)`` therefore throws below the model's minimum, and ``automatic`` never goes below it.
package enum AudioContext: Sendable, Hashable, Codable {
    /// The whole window of 30 s, silence included, as the model was trained.
    case full
    /// The audio in the window and one more second, but never less than the model's minimum.
    case automatic
    /// This many positions, from the model's minimum to 1500.
    case positions(Int)
}

extension AudioContext {
    /// The fewest positions with which a full-size Whisper model still writes correct text: ten seconds, measured on
    /// Whisper base.
    static let floor = 500

    func windowFrames(for model: WhisperModel) throws -> Int {
        guard case .positions(let positions) = self else { return model.shape.windowFrames }
        let floor = min(Self.floor, model.shape.audioContext)
        guard (floor...model.shape.audioContext).contains(positions) else {
            throw StenoError(
                .invalidOption,
                "The audio context must be from \(floor) to \(model.shape.audioContext) positions of 20 ms: with fewer, the text degenerates."
            )
        }
        return 2 * positions
    }

    /// The number of positions to encode for a window with this many frames of audio.
    ///
    /// - Parameter floor: The fewest that ``automatic`` encodes.
    func positions(frames: Int, for model: WhisperModel, floor: Int = floor) -> Int {
        let most = model.shape.audioContext
        switch self {
        case .full: return most
        case .positions(let positions): return positions
        case .automatic:
            // One second of silence after the audio, since the model expects an utterance to end in silence.
            return min(most, max(floor, (frames + 1) / 2 + 50))
        }
    }
}
