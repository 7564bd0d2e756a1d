public import StenoCore
import StenoVoice

extension WhisperModel: SpeechModel {
    /// What the model is and can do.
    public var information: SpeechModelInformation {
        SpeechModelInformation(
            family: "Whisper", source: source, precision: precision, threads: threads,
            parameterCount: shape.parameterCount, languages: languages,
            tasks: isMultilingual ? [.transcribe, .translate] : [.transcribe],
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
            ])
    }

    /// Refuses a request that this model cannot run to its end.
    ///
    /// - Throws: ``StenoError``: `invalidOption`, `unknownLanguage`.
    public func check(_ request: TranscriptionRequest) throws {
        _ = try TranscriptionPlan(self, DecodingOptions(request))
    }

    /// Transcribes recordings on the calling thread, which is kept until then.
    ///
    /// With a ``DecodingOptions/batchSize`` above 1 their windows are decoded together: one pass through the decoder
    /// serves all of them, so its weights are read once. A recording is opened when there is room for its windows, in
    /// the order of the list, and at most as many are open as windows fit into the batch. What is written does not
    /// depend on the batch size beyond 1, nor on the other recordings. A recording is read twice where it can be, so
    /// that its features are exact.
    ///
    /// - Parameters:
    ///   - recordings: Open each recording.
    ///   - request: What to do, the same for all.
    ///   - isCancelled: Asked at every token, on the calling thread; true ends the work.
    ///   - onEvent: Gets what becomes known of a recording, by its number, in the order of that recording.
    ///   - onEnd: Gets each recording's transcript once it is finished, or why there is none; the others continue.
    /// - Throws: ``StenoError``: `cancelled`, or `unknownLanguage` or `invalidOption` when the request suits no
    ///   recording.
    public func transcribe(
        _ recordings: [AudioOpener], _ request: TranscriptionRequest, isCancelled: @escaping () -> Bool,
        onEvent: @escaping (Int, TranscriptionProgressEvent) -> Void,
        onEnd: @escaping (Int, Result<Transcript, any Error>) -> Void
    ) throws {
        let options = DecodingOptions(request)
        let plan = try TranscriptionPlan(self, options)
        let silero = options.listensWithSilero ? try BundledSilero.model() : nil
        var waiting = recordings.enumerated().makeIterator()
        var numbers: [ObjectIdentifier: Int] = [:]
        let loop = try TranscriptionLoop(plan, isCancelled: isCancelled) {
            while let (number, open) = waiting.next() {
                do {
                    let recording = try Transcription(
                        plan, open(), silero: silero, isCancelled: isCancelled, onEvent: { onEvent(number, $0) })
                    numbers[ObjectIdentifier(recording)] = number
                    return recording
                } catch let error where (error as? StenoError)?.code != .cancelled && !isCancelled() {
                    onEnd(number, .failure(error))
                }
            }
            return nil
        } end: { recording, error in
            guard let number = numbers.removeValue(forKey: ObjectIdentifier(recording)) else { return }
            onEnd(number, error.map { .failure($0) } ?? .success(recording.transcript))
        }
        try loop.run()
    }

    /// Finds the language spoken in the first window of a recording, or in its first windows, on the calling thread.
    ///
    /// - Parameter request: Of its options, what chooses the audio (voice activity, clips, chunk length) and how many
    ///   windows may be used until one is sure: ``DecodingOptions/languageDetectionSegments`` and
    ///   ``DecodingOptions/languageDetectionThreshold``.
    public func detectLanguage(
        _ source: any SampleSource, _ request: TranscriptionRequest, isCancelled: @escaping () -> Bool
    ) throws -> LanguageDetection {
        var options = DecodingOptions(request)
        // Nothing is searched, so there need be no room for it.
        (options.temperatures, options.beamSize, options.batchSize, options.language) = ([0], 1, 1, nil)
        options.guards = nil
        let plan = try TranscriptionPlan(self, options)
        let silero = options.listensWithSilero ? try BundledSilero.model() : nil
        let recording = try Transcription(plan, source, silero: silero, isCancelled: isCancelled)
        return try recording.detectLanguage(in: WindowLane(self, hypotheses: 1, isCancelled: isCancelled))
    }

    /// Allocates what decoding a growing utterance needs.
    public func makeUtteranceDecoder(beams: Int) throws -> any UtteranceDecoding {
        try UtteranceDecoder(self, beams: beams)
    }
}
