package import StenoCore

/// A model that is another one in all that it does not implement itself.
package protocol ForwardingModel: SequentialModel {
    var model: any SpeechModel { get }
}

extension ForwardingModel {
    package var information: SpeechModelInformation { model.information }

    package func check(_ request: TranscriptionRequest) throws { try model.check(request) }

    package func transcribe(
        _ recordings: [AudioOpener], _ request: TranscriptionRequest, isCancelled: @escaping () -> Bool,
        onEvent: @escaping (Int, TranscriptionProgressEvent) -> Void,
        onEnd: @escaping (Int, Result<Transcript, any Error>) -> Void
    ) throws {
        try model.transcribe(recordings, request, isCancelled: isCancelled, onEvent: onEvent, onEnd: onEnd)
    }

    package func detectLanguage(
        _ source: any SampleSource, _ request: TranscriptionRequest, isCancelled: @escaping () -> Bool
    ) throws -> LanguageDetection { try model.detectLanguage(source, request, isCancelled: isCancelled) }

    package func makeLiveDecoder(_ options: LiveDecoderOptions) throws -> LiveDecoder {
        try model.makeLiveDecoder(options)
    }
}
