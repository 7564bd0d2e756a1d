import CSteno
import StenoCore

/// Keeps an error's sentence for `steno_last_error` and returns its status.
func fail(_ error: any Error) -> Int32 {
    steno_state_set_error(sentence(error))
    return status(error)
}

private func sentence(_ error: any Error) -> String {
    switch error {
    case is CancellationError: "The work was cancelled."
    case let error as StenoError: error.message
    default: "\(error)"
    }
}

private func status(_ error: any Error) -> Int32 {
    switch error {
    case is CancellationError: Int32(STENO_ERROR_CANCELLED)
    case is Forked: Int32(STENO_ERROR_FORKED)
    case is MissingArgument: Int32(STENO_ERROR_INVALID_OPTION)
    case let error as StenoError: Int32(statuses[error.code] ?? STENO_ERROR)
    default: Int32(STENO_ERROR)
    }
}

/// The statuses of errors; further codes are `STENO_ERROR`.
private let statuses: [StenoError.Code: Int] = [
    .cancelled: STENO_ERROR_CANCELLED,
    .invalidOption: STENO_ERROR_INVALID_OPTION,
    .unknownLanguage: STENO_ERROR_UNKNOWN_LANGUAGE,
    .modelNotFound: STENO_ERROR_MODEL_NOT_FOUND,
    .modelDamaged: STENO_ERROR_MODEL_DAMAGED,
    .modelUnsupported: STENO_ERROR_MODEL_UNSUPPORTED,
    .outOfMemory: STENO_ERROR_OUT_OF_MEMORY,
    .audioNotFound: STENO_ERROR_AUDIO_NOT_FOUND,
    .notAudio: STENO_ERROR_NOT_AUDIO,
    .audioDamaged: STENO_ERROR_AUDIO_DAMAGED,
    .audioUnreadable: STENO_ERROR_AUDIO_UNREADABLE,
    .decoderMissing: STENO_ERROR_DECODER_MISSING,
    .noSpeech: STENO_ERROR_NO_SPEECH,
    .outputFailed: STENO_ERROR_OUTPUT_FAILED,
    .resourceMissing: STENO_ERROR_RESOURCE_MISSING,
    .engineState: STENO_ERROR_WRONG_STATE,
]
