import StenoCore

/// How many positions of 20 ms the encoder computes for a window; the full window has 1500.
///
/// Fewer cost less time. But Whisper was trained on full windows only: with less than about ten seconds its text
/// breaks, so ``positions(_:)`` is refused below the model's floor and ``automatic`` keeps it.
public enum AudioContext: Sendable, Hashable {
    /// The whole window of 30 s, silence included, as the model was trained.
    case full
    /// Only the audio that is there and a second more, but never less than the model's floor.
    case automatic
    /// This many positions, from the model's floor to 1500.
    case positions(Int)
}

extension AudioContext {
    /// The fewest positions a full-size Whisper still writes sound text with: ten seconds, measured on Whisper base.
    static let floor = 500

    /// How many frames of audio a window takes.
    func windowFrames(for model: WhisperModel) throws -> Int {
        guard case .positions(let positions) = self else { return model.shape.windowFrames }
        let floor = min(Self.floor, model.shape.audioContext)
        guard (floor...model.shape.audioContext).contains(positions) else {
            throw StenoError(
                .invalidOption,
                "The audio context must be from \(floor) to \(model.shape.audioContext) positions of 20 ms: with less, the text breaks."
            )
        }
        return 2 * positions
    }

    /// How many positions to encode for a window with this many frames of audio.
    func positions(frames: Int, for model: WhisperModel) -> Int {
        let most = model.shape.audioContext
        switch self {
        case .full: return most
        case .positions(let positions): return positions
        case .automatic:
            // A second of silence after the audio, as the model expects an end to look like.
            return min(most, max(min(Self.floor, most), (frames + 1) / 2 + 50))
        }
    }
}
