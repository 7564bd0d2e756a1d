package import StenoCore

/// A model that forwards to another whatever it does not implement itself.
package protocol ForwardingModel: SequentialModel {
    var model: any SpeechModel { get }
}

extension ForwardingModel {
    package var information: SpeechModelInformation { model.information }

    package func check(_ options: TranscriptionOptions) throws { try model.check(options) }

    package func transcribe(
        _ recordings: [AudioOpener], _ options: TranscriptionOptions, isCancelled: @escaping () -> Bool,
        onEvent: @escaping (Int, TranscriptionProgressEvent) -> Void,
        onEnd: @escaping (Int, Result<Transcript, any Error>) -> Void
    ) throws {
        try model.transcribe(recordings, options, isCancelled: isCancelled, onEvent: onEvent, onEnd: onEnd)
    }

    package func detectLanguage(
        _ source: any SampleSource, _ options: TranscriptionOptions, isCancelled: @escaping () -> Bool
    ) throws -> LanguageDetection { try model.detectLanguage(source, options, isCancelled: isCancelled) }

    package func makeLiveDecoder(_ options: LiveDecoderOptions) throws -> LiveDecoder {
        try model.makeLiveDecoder(options)
    }
}
