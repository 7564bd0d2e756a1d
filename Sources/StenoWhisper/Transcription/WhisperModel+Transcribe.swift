extension WhisperModel {
    /// Transcribes a sound to its end, on the calling thread, which is kept until then.
    ///
    /// - Parameters:
    ///   - source: The sound; it is read twice if it can be, so that the features are exact.
    ///   - options: How to decode.
    ///   - isCancelled: Asked at every token, on the calling thread; true ends the work.
    ///   - onEvent: Told the language, each segment and the progress, on the calling thread.
    /// - Throws: ``WhisperError``: `cancelled`, `unknownLanguage`, `invalidOption`, or what the source throws.
    public func transcribe(
        _ source: any SampleSource, options: DecodingOptions = DecodingOptions(),
        isCancelled: @escaping () -> Bool = { false }, onEvent: (TranscriptionProgressEvent) -> Void = { _ in }
    ) throws -> Transcript {
        try Transcription(self, source, options: options, isCancelled: isCancelled).run(onEvent)
    }

    /// Finds the language spoken in the first window of a sound, on the calling thread.
    public func detectLanguage(
        _ source: any SampleSource, isCancelled: @escaping () -> Bool = { false }
    ) throws -> LanguageDetection {
        var options = DecodingOptions()
        options.temperatures = [0]
        options.beamSize = 1
        return try Transcription(self, source, options: options, isCancelled: isCancelled).detectLanguage()
    }
}
