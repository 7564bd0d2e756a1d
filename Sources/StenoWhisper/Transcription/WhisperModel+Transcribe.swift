package import StenoCore
import StenoVoiceActivity

extension WhisperModel: SpeechModel {
    package var information: SpeechModelInformation {
        SpeechModelInformation(
            family: WhisperOptions.family, source: source, precision: precision, threads: threads,
            parameterCount: shape.parameterCount, languages: languages,
            tasks: isMultilingual ? [.transcribe, .translate] : [.transcribe],
            options: Set(TranscriptionOptions.Name.allCases),
            details: [
                .init("width", "\(shape.width) channels"),
                .init(
                    "encoder",
                    "\(shape.encoderLayers) layers, \(shape.encoderHeads) heads, \(shape.melCount) mel bands, "
                        + "\(shape.audioContext) positions"),
                .init(
                    "decoder",
                    "\(shape.decoderLayers) layers, \(shape.decoderHeads) heads, \(shape.vocabularySize) tokens, "
                        + "\(shape.textContext) positions"),
                .init("precision", source.meaning(of: precision)),
            ])
    }

    /// - Throws: ``StenoError``: `invalidOption`, `unknownLanguage`.
    package func check(_ options: TranscriptionOptions) throws { _ = try TranscriptionPlan(self, options) }

    /// Transcribes recordings on the calling thread, which is blocked until the feed ends.
    ///
    /// With a `batchSize` above 1 their windows are decoded as batches: one pass through the decoder serves a whole
    /// batch, so its weights are read once; at most as many recordings are open as windows fit into a batch. Without
    /// batches each lane decodes one recording sequentially. The text depends neither on a batch size beyond 1 nor on
    /// the other recordings. A recording that can be rewound is read twice, so that its features are exact. A
    /// recording's own options may not need more hypotheses or another batch size than `options`.
    ///
    /// - Throws: ``StenoError``: `cancelled`, or `unknownLanguage` or `invalidOption` for `options`; what `feed` throws.
    package func transcribe(
        _ feed: any RecordingFeed, lanes: Int, _ options: TranscriptionOptions, isCancelled: @escaping () -> Bool,
        onEvent: @escaping (Int, RecordingEvent) -> Void
    ) throws {
        let plan = try TranscriptionPlan(self, options, recordings: lanes)
        var numbers: [ObjectIdentifier: Int] = [:]
        let loop = try TranscriptionLoop(plan, isCancelled: isCancelled) { waits in
            while let next = try feed.next(waits: waits) {
                let start = ContinuousClock.now
                do {
                    let own = try plan.with(next.options)
                    let recording = try Transcription(
                        own, next.open(), silero: own.options.silero, isCancelled: isCancelled,
                        onEvent: { onEvent(next.number, .progress($0)) })
                    recording.seconds = (ContinuousClock.now - start) / .seconds(1)
                    numbers[ObjectIdentifier(recording)] = next.number
                    return recording
                } catch let error where (error as? StenoError)?.code != .cancelled && !isCancelled() {
                    let seconds = (ContinuousClock.now - start) / .seconds(1)
                    onEvent(next.number, .result(FedResult(.failure(error), seconds: seconds)))
                }
            }
            return nil
        } end: { recording, error in
            guard let number = numbers.removeValue(forKey: ObjectIdentifier(recording)) else { return }
            let transcript = error.map { .failure($0) } ?? Result.success(recording.transcript)
            onEvent(number, .result(FedResult(transcript, seconds: recording.seconds)))
        }
        // If a requested network is missing, everything fails before any recording is opened.
        try plan.options.checkNetworks()
        try loop.run()
    }

    /// Detects the language spoken at the start of a recording, on the calling thread.
    ///
    /// - Parameter options: Only those apply that select audio (voice activity, clips, chunk length) or limit the
    ///   number of windows: ``WhisperOptions/languageDetectionSegments`` and
    ///   ``WhisperOptions/languageDetectionThreshold``.
    package func detectLanguage(
        _ source: any SampleSource, _ options: TranscriptionOptions, isCancelled: @escaping () -> Bool
    ) throws -> LanguageDetection {
        var options = options
        options.language = nil
        // There is no search, so it needs no memory.
        options.batchSize = 1
        options.whisper = options.whisper.with {
            ($0.temperatures, $0.beamSize) = ([0], 1)
            ($0.guards, $0.hallucinationSilenceThreshold) = (nil, nil)
        }
        let plan = try TranscriptionPlan(self, options)
        let recording = try Transcription(plan, source, silero: nil, isCancelled: isCancelled)
        try ensure(
            !recording.isSilentThroughout(), or: .noSpeech,
            "There is no language to detect: the audio is empty or digital silence. Name the language, "
                + "or use other audio.")
        return try recording.detectLanguage(in: WindowLane(self, hypotheses: 1, isCancelled: isCancelled))
    }

    package func makeLiveDecoder(_ options: LiveDecoderOptions) throws -> LiveDecoder {
        .repeated(try UtteranceDecoder(self, options))
    }
}

extension TranscriptionPlan {
    /// The plan of a recording with its own options.
    ///
    /// - Throws: ``StenoError``: `invalidOption`, `unknownLanguage`.
    fileprivate func with(_ own: TranscriptionOptions) throws -> TranscriptionPlan {
        if own == options { return self }
        try ensure(
            own.whisper.hypotheses <= whisper.hypotheses && own.batchSize == options.batchSize, or: .invalidOption,
            "Recordings decoded together must have the same beam size, number of samples and batch size.")
        return try TranscriptionPlan(model, own, recordings: lanes)
    }
}
