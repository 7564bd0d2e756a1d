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
        guard let speech = try speech(in: source, options, silero, isCancelled) else {
            return try Transcription(self, source, options: options, isCancelled: isCancelled).run(onEvent)
        }
        let transcription = try Transcription(self, speech, options: options, isCancelled: isCancelled)
        return speech.restore(try transcription.run { onEvent(speech.restore($0)) })
    }

    /// Finds the language spoken in the first window of a sound, or in its first windows, on the calling thread.
    ///
    /// - Parameters:
    ///   - options: Of these, what chooses the sound (voice activity, clips, chunk length) and how many windows are heard
    ///     until one is sure: ``DecodingOptions/languageDetectionSegments`` and
    ///     ``DecodingOptions/languageDetectionThreshold``.
    public func detectLanguage(
        _ source: any SampleSource, options: DecodingOptions = DecodingOptions(), silero: SileroModel? = nil,
        isCancelled: @escaping () -> Bool = { false }
    ) throws -> LanguageDetection {
        var options = options
        // Nothing is searched, so there need be no room for it.
        (options.temperatures, options.beamSize, options.language) = ([0], 1, nil)
        let sound = try speech(in: source, options, silero, isCancelled) ?? source
        return try Transcription(self, sound, options: options, isCancelled: isCancelled).detectLanguage()
    }

    /// The speech of a sound alone, where that is asked for.
    private func speech(
        in source: any SampleSource, _ options: DecodingOptions, _ silero: SileroModel?,
        _ isCancelled: @escaping () -> Bool
    ) throws -> SpeechSource? {
        try options.validate()
        guard let voiceActivity = options.voiceActivity else { return nil }
        return try SpeechSource(
            source, detector: voiceActivity.makeDetector(silero: silero), options: voiceActivity
        ) {
            guard !isCancelled() else { throw WhisperError(.cancelled, "The transcription was cancelled.") }
        }
    }
}
