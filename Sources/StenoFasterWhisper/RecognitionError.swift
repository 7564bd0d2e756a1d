public import Foundation
import Steno

/// An error, with SwiftFasterWhisper's cases and a message for the user.
public enum RecognitionError: LocalizedError, Sendable, Hashable {
    /// There are no samples, or some are not finite numbers.
    case invalidAudioData
    /// The audio could not be transcribed; the message says why.
    case recognitionFailed(String)
    /// The audio could not be translated; the message says why.
    case translationFailed(String)
    /// A transcription was started before `loadModel()` returned.
    case modelNotLoaded
    /// The model was not found or cannot be used; the message says what to do.
    case modelLoadFailed(String)
    /// There is nothing at `modelPath`.
    case invalidModelPath
    /// Audio was added before `configure` or after `stop()`.
    case streamingNotActive
    /// The stream could not be started; the message says why.
    case streamingStartFailed(String)

    /// What is wrong, and what to do.
    public var errorDescription: String? {
        switch self {
        case .invalidAudioData:
            "The audio has no samples, or some are not finite numbers. Give 16 kHz mono samples from −1 to 1."
        case .recognitionFailed(let message), .translationFailed(let message), .modelLoadFailed(let message),
            .streamingStartFailed(let message):
            message
        case .modelNotLoaded: "The model is not loaded. Call loadModel() first."
        case .invalidModelPath: "Nothing exists at the path given as modelPath. Give the path of a model's folder."
        case .streamingNotActive: "The stream is not running. Call configure(language:task:) before adding audio."
        }
    }

    /// The case for an error during transcription or translation of a recording.
    init(_ error: StenoError, during task: TranscriptionTask) {
        self = task == .translate ? .translationFailed(error.message) : .recognitionFailed(error.message)
    }

    /// The case for an error that keeps a stream from starting.
    init(start error: any Error) {
        self =
            switch error {
            case let error as RecognitionError: error
            case let error as StenoError: .streamingStartFailed(error.message)
            case is CancellationError:
                .streamingStartFailed("The start was cancelled. Call configure(language:task:) again.")
            default: .streamingStartFailed(error.localizedDescription)
            }
    }
}
