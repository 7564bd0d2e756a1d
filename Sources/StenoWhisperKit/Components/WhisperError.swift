public import Foundation
import Steno

/// An error, with the cases of WhisperKit that can happen here and a message for the user.
public enum WhisperError: LocalizedError, Sendable, Hashable {
    /// The model was not found or cannot be used.
    case modelsUnavailable(String)
    /// The file is missing or not readable as audio.
    case loadAudioFailed(String)
    /// The samples cannot be used.
    case audioProcessingFailed(String)
    /// The audio could not be transcribed.
    case transcriptionFailed(String)
    /// There is no microphone, it may not be used, or it failed.
    case microphoneUnavailable(String)
    /// The parts do not fit together, or a stream was started twice.
    case initializationError(String)

    /// What is wrong, and what to do.
    public var errorDescription: String? {
        switch self {
        case .modelsUnavailable(let message), .loadAudioFailed(let message), .audioProcessingFailed(let message),
            .transcriptionFailed(let message), .microphoneUnavailable(let message), .initializationError(let message):
            message
        }
    }

    /// The case for an error of the engine.
    init(_ error: StenoError) {
        self =
            switch error.code {
            case .modelNotFound, .modelDamaged, .modelUnsupported, .resourceMissing: .modelsUnavailable(error.message)
            case .audioNotFound, .notAudio, .audioDamaged, .audioUnreadable, .decoderMissing:
                .loadAudioFailed(error.message)
            case .captureUnavailable, .captureFailed, .permissionDenied: .microphoneUnavailable(error.message)
            default: .transcriptionFailed(error.message)
            }
    }

    /// Calls the engine, and converts its errors to this module's.
    static func wrapping<Value>(
        isolation: isolated (any Actor)? = #isolation, _ work: () async throws -> Value
    ) async throws -> Value {
        do { return try await work() } catch let error as StenoError { throw WhisperError(error) }
    }
}
