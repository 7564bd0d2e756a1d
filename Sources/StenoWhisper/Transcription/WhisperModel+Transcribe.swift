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

    /// Throws if this model cannot transcribe with these options.
    ///
    /// - Throws: ``StenoError``: `invalidOption`, `unknownLanguage`.
    package func check(_ options: TranscriptionOptions) throws {
        _ = try TranscriptionPlan(self, options)
    }

    /// Transcribes recordings on the calling thread, which is blocked until the work is done.
    ///
    /// With a `batchSize` above 1 their windows are decoded as batches: one pass through the decoder serves a whole
    /// batch, so its weights are read once. Recordings are opened in the order of the list, when there is room for
    /// their windows; at most as many are open as windows fit into a batch. The text depends neither on a batch size
    /// beyond 1 nor on the other recordings. A recording that can be rewound is read twice, so that its
    /// features are exact.
    ///
    /// - Throws: ``StenoError``: `cancelled`, or `unknownLanguage` or `invalidOption` if the request is invalid for any
    ///   recording.
    package func transcribe(
        _ recordings: [AudioOpener], _ options: TranscriptionOptions, isCancelled: @escaping () -> Bool,
        onEvent: @escaping (Int, TranscriptionProgressEvent) -> Void,
        onEnd: @escaping (Int, Result<Transcript, any Error>) -> Void
    ) throws {
        let plan = try TranscriptionPlan(self, options)
        try decode(
            RecordingList(recordings, options), plan, isCancelled: isCancelled, onEvent: onEvent,
            onEnd: { onEnd($0.number, $0.transcript) })
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
        guard try !recording.isSilentThroughout() else {
            throw StenoError(
                .noSpeech,
                "There is no language to detect: the audio is empty or digital silence. Name the language, "
                    + "or use other audio.")
        }
        return try recording.detectLanguage(in: WindowLane(self, hypotheses: 1, isCancelled: isCancelled))
    }

    /// Creates a decoder for growing utterances, with all of its memory allocated.
    package func makeLiveDecoder(_ options: LiveDecoderOptions) throws -> LiveDecoder {
        .repeated(try UtteranceDecoder(self, options))
    }
}
