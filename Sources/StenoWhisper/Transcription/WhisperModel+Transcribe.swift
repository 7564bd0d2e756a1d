extension WhisperModel {
    /// Transcribes a sound to its end, on the calling thread, which is kept until then.
    ///
    /// - Parameters:
    ///   - source: The sound; it is read twice if it can be, so that the features are exact.
    ///   - options: How to decode.
    ///   - silero: The network for ``DecodingOptions/voiceActivity``; it is not needed for the other detector.
    ///   - isCancelled: Asked at every token, on the calling thread; true ends the work.
    ///   - onEvent: Told the language, each segment and the progress, on the calling thread.
    /// - Throws: ``WhisperError``: `cancelled`, `unknownLanguage`, `invalidOption`, or what the source throws.
    public func transcribe(
        _ source: any SampleSource, options: DecodingOptions = DecodingOptions(), silero: SileroModel? = nil,
        isCancelled: @escaping () -> Bool = { false }, onEvent: (TranscriptionProgressEvent) -> Void = { _ in }
    ) throws -> Transcript {
        guard let voiceActivity = options.voiceActivity else {
            return try Transcription(self, source, options: options, isCancelled: isCancelled).run(onEvent)
        }
        let speech = try SpeechSource(
            source, detector: voiceActivity.makeDetector(silero: silero), options: voiceActivity
        ) {
            guard !isCancelled() else { throw WhisperError(.cancelled, "The transcription was cancelled.") }
        }
        let transcription = try Transcription(self, speech, options: options, isCancelled: isCancelled)
        return speech.restore(try transcription.run { onEvent(speech.restore($0)) })
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
