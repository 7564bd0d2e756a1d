extension WhisperModel {
    /// Opens a sound, on the thread that reads it.
    public typealias SoundOpener = () throws -> any SampleSource

    /// Transcribes a sound to its end, on the calling thread, which is kept until then.
    ///
    /// - Parameters:
    ///   - source: The sound; it is read twice if it can be, so that the features are exact.
    ///   - options: How to decode.
    ///   - silero: The network for ``DecodingOptions/voiceActivity`` and ``DecodingOptions/guards``; it is not needed
    ///     for the other detector.
    ///   - isCancelled: Asked at every token, on the calling thread; true ends the work.
    ///   - onEvent: Told the language, each segment and the progress, on the calling thread.
    /// - Throws: ``WhisperError``: `cancelled`, `unknownLanguage`, `invalidOption`, or what the source throws.
    public func transcribe(
        _ source: any SampleSource, options: DecodingOptions = DecodingOptions(), silero: SileroModel? = nil,
        isCancelled: @escaping () -> Bool = { false },
        onEvent: @escaping (TranscriptionProgressEvent) -> Void = { _ in }
    ) throws -> Transcript {
        var result: Result<Transcript, any Error>?
        try transcribe(
            sounds: [{ source }], options: options, silero: silero, isCancelled: isCancelled,
            onEvent: { onEvent($1) }, onEnd: { result = $1 })
        guard let result else { throw WhisperError(.cancelled, "The transcription was cancelled.") }
        return try result.get()
    }

    /// Transcribes several sounds, on the calling thread, which is kept until then.
    ///
    /// With a ``DecodingOptions/batchSize`` above 1 their windows are decoded side by side: one pass through the
    /// decoder serves all of them, so its weights are read once. A sound is opened when there is room for its windows,
    /// in the order of the list, and at most as many are open as windows fit into the batch. What is written does not
    /// depend on the batch size beyond 1, nor on the other sounds.
    ///
    /// - Parameters:
    ///   - sounds: Open each sound.
    ///   - options: How to decode, the same for all.
    ///   - onEvent: Told what is known of a sound, by its number, in the order of that sound.
    ///   - onEnd: Told each sound's transcript once it is finished, or why there is none; the others go on.
    /// - Throws: ``WhisperError``: `cancelled`, or `unknownLanguage` or `invalidOption` when the options suit no sound.
    public func transcribe(
        sounds: [SoundOpener], options: DecodingOptions = DecodingOptions(), silero: SileroModel? = nil,
        isCancelled: @escaping () -> Bool = { false },
        onEvent: @escaping (Int, TranscriptionProgressEvent) -> Void = { _, _ in },
        onEnd: @escaping (Int, Result<Transcript, any Error>) -> Void
    ) throws {
        let plan = try TranscriptionPlan(self, options)
        var waiting = sounds.enumerated().makeIterator()
        var numbers: [ObjectIdentifier: Int] = [:]
        let loop = try TranscriptionLoop(plan, isCancelled: isCancelled) {
            while let (number, open) = waiting.next() {
                do {
                    let sound = try Transcription(
                        plan, open(), silero: silero, isCancelled: isCancelled, onEvent: { onEvent(number, $0) })
                    numbers[ObjectIdentifier(sound)] = number
                    return sound
                } catch let error where (error as? WhisperError)?.code != .cancelled && !isCancelled() {
                    onEnd(number, .failure(error))
                }
            }
            return nil
        } end: { sound, error in
            guard let number = numbers.removeValue(forKey: ObjectIdentifier(sound)) else { return }
            onEnd(number, error.map { .failure($0) } ?? .success(sound.transcript))
        }
        try loop.run()
    }

    /// Finds the language spoken in the first window of a sound, or in its first windows, on the calling thread.
    ///
    /// - Parameters:
    ///   - options: Of these, what chooses the sound (voice activity, clips, chunk length) and how many windows are
    ///     heard until one is sure: ``DecodingOptions/languageDetectionSegments`` and
    ///     ``DecodingOptions/languageDetectionThreshold``.
    public func detectLanguage(
        _ source: any SampleSource, options: DecodingOptions = DecodingOptions(), silero: SileroModel? = nil,
        isCancelled: @escaping () -> Bool = { false }
    ) throws -> LanguageDetection {
        var options = options
        // Nothing is searched, so there need be no room for it.
        (options.temperatures, options.beamSize, options.batchSize, options.language) = ([0], 1, 1, nil)
        options.guards = nil
        let plan = try TranscriptionPlan(self, options)
        let sound = try Transcription(plan, source, silero: silero, isCancelled: isCancelled)
        return try sound.detectLanguage(
            WindowDecoder(self, hypotheses: 1, isCancelled: isCancelled), lane: 0)
    }
}
