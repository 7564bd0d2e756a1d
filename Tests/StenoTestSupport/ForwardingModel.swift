package import StenoCore

/// A model that forwards to another whatever it does not implement itself.
package protocol ForwardingModel: SpeechModel {
    var model: any SpeechModel { get }
}

extension ForwardingModel {
    package var information: SpeechModelInformation { model.information }

    package func check(_ options: TranscriptionOptions) throws { try model.check(options) }

    package func transcribe(
        _ feed: any RecordingFeed, lanes: Int, _ options: TranscriptionOptions, isCancelled: @escaping () -> Bool,
        onEvent: @escaping (Int, RecordingEvent) -> Void
    ) throws {
        try model.transcribe(feed, lanes: lanes, options, isCancelled: isCancelled, onEvent: onEvent)
    }

    package func detectLanguage(
        _ source: any SampleSource, _ options: TranscriptionOptions, isCancelled: @escaping () -> Bool
    ) throws -> LanguageDetection { try model.detectLanguage(source, options, isCancelled: isCancelled) }

    package func makeLiveDecoder(_ options: LiveDecoderOptions) throws -> LiveDecoder {
        try model.makeLiveDecoder(options)
    }
    package func measureRealTimeFactor(isCancelled: @escaping () -> Bool) throws -> Double {
        try model.measureRealTimeFactor(isCancelled: isCancelled)
    }
}
