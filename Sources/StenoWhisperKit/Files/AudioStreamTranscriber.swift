import Steno

/// Transcribes a microphone, or any other source, while it is being recorded.
///
///     let transcriber = AudioStreamTranscriber(whisperKit, source: .microphone) { _, state in
///         print(state.confirmedSegments.map(\.text).joined(), state.currentText)
///     }
///     try await transcriber.startStreamTranscription()
///
/// Confirmed text arrives once, in order, and never changes; the text after it is replaced until it is confirmed. One
/// transcriber can transcribe several streams, one after the other.
public actor AudioStreamTranscriber {
    private let components: [any Sendable]
    /// The tokenizer for the prompt; nil for the model's own, which is available once the model is loaded.
    private let tokenizer: (any WhisperTokenizer)?
    private let audioProcessor: any AudioProcessing
    private let parameters: StreamParameters
    private let stateChangeCallback: AudioStreamTranscriberCallback?
    private nonisolated let broadcast = StateBroadcast()

    private var state = State()
    private var text = LiveTranscript()
    private var work: Task<Void, any Error>?
    private var session: LiveTranscription?
    private var isStopped = false

    /// Creates a transcriber from the parts of a ``WhisperKit``.
    ///
    /// - Parameters:
    ///   - audioEncoder: The part of that name.
    ///   - featureExtractor: The part of that name.
    ///   - segmentSeeker: The part of that name.
    ///   - textDecoder: The part of that name.
    ///   - tokenizer: The part of that name.
    ///   - audioProcessor: The audio source, and its level.
    ///   - decodingOptions: Language, task, prompt and temperatures.
    ///   - requiredSegmentsForConfirmation: When text is confirmed: 1 as soon as possible, 2 when it is clear, 3 or
    ///     more at the end of an utterance.
    ///   - silenceThreshold: The speech probability that counts as speech, from 0 to 1.
    ///   - compressionCheckWindow: The number of repeated tokens that counts as a loop; 0 keeps loops.
    ///   - useVAD: Whether a neural network detects speech; otherwise loud audio counts as speech.
    ///   - stateChangeCallback: Receives every change of the state.
    public init(
        audioEncoder: any AudioEncoding, featureExtractor: any FeatureExtracting, segmentSeeker: any SegmentSeeking,
        textDecoder: any TextDecoding, tokenizer: any WhisperTokenizer, audioProcessor: any AudioProcessing,
        decodingOptions: DecodingOptions, requiredSegmentsForConfirmation: Int = 2, silenceThreshold: Float = 0.3,
        compressionCheckWindow: Int = 60, useVAD: Bool = true, stateChangeCallback: AudioStreamTranscriberCallback?
    ) {
        components = [audioEncoder, featureExtractor, segmentSeeker, textDecoder]
        (self.tokenizer, self.audioProcessor) = (tokenizer, audioProcessor)
        parameters = StreamParameters(
            options: decodingOptions, requiredSegmentsForConfirmation: requiredSegmentsForConfirmation,
            silenceThreshold: silenceThreshold, compressionCheckWindow: compressionCheckWindow, useVAD: useVAD)
        self.stateChangeCallback = stateChangeCallback
    }

    /// Creates a transcriber of any audio.
    ///
    /// - Parameters:
    ///   - whisperKit: The model.
    ///   - source: The audio source; nil for the source of the model's audio processor.
    ///   - decodingOptions: Language, task, prompt and temperatures.
    ///   - requiredSegmentsForConfirmation: As in the long form.
    ///   - silenceThreshold: As in the long form.
    ///   - compressionCheckWindow: As in the long form.
    ///   - useVAD: As in the long form.
    ///   - stateChangeCallback: Receives every change of the state.
    public init(
        _ whisperKit: WhisperKit, source: StreamSource? = nil, decodingOptions: DecodingOptions = DecodingOptions(),
        requiredSegmentsForConfirmation: Int = 2, silenceThreshold: Float = 0.3, compressionCheckWindow: Int = 60,
        useVAD: Bool = true, stateChangeCallback: AudioStreamTranscriberCallback? = nil
    ) {
        components = [whisperKit.textDecoder]
        tokenizer = nil
        audioProcessor = source.map { AudioProcessor(source: $0) } ?? whisperKit.audioProcessor
        parameters = StreamParameters(
            options: decodingOptions, requiredSegmentsForConfirmation: requiredSegmentsForConfirmation,
            silenceThreshold: silenceThreshold, compressionCheckWindow: compressionCheckWindow, useVAD: useVAD)
        self.stateChangeCallback = stateChangeCallback
    }

    /// The state now and after every change, until the stream ends; each access adds a reader.
    ///
    /// A slow reader misses intermediate states, but always gets the last one.
    public nonisolated var states: AsyncStream<State> { broadcast.states() }

    /// Transcribes until the audio ends or ``stopStreamTranscription()`` is called; all text is confirmed then.
    ///
    /// Cancelling the task ends the stream immediately; unconfirmed text is lost.
    /// - Throws: ``WhisperError``: `microphoneUnavailable`, `loadAudioFailed`; `initializationError` if a stream is
    ///   running or the parts belong to different models; `transcriptionFailed`. `CancellationError`.
    public func startStreamTranscription() async throws {
        guard work == nil else {
            throw WhisperError.initializationError(
                "This transcriber is already running. Stop it first, or create another one: several can run at once.")
        }
        let model = try ModelComponent.model(of: components)
        isStopped = false
        let work = Task { try await WhisperError.wrapping { try await self.stream(model) } }
        self.work = work
        defer { end() }
        try await work.childValue
    }

    /// Ends the audio and returns when the rest of it has been transcribed and confirmed.
    public func stopStreamTranscription() async {
        guard let work else { return }
        isStopped = true
        if let session {
            // In its own task: cancelling the caller's would cancel the session, and the last words would be lost.
            _ = await Task { try await session.stop() }.result
        } else {
            // There is no audio yet.
            work.cancel()
        }
        _ = await work.result
    }

    /// Steno's options for a stream of a loaded model.
    func options(_ model: ModelSlot) -> LiveOptions { parameters.core(tokenizer ?? model.tokenizer) }

    private func stream(_ model: ModelSlot) async throws {
        change { $0 = State() }
        text = LiveTranscript()
        audioProcessor.reset()
        do {
            let transcriber = try await model.loaded()
            let (session, events) = try await transcriber.live(
                audioProcessor.source.live, options: options(model), buffering: .unbounded)
            self.session = session
            for await event in events { apply(event) }
            try await session.wait()
        } catch is CancellationError where isStopped && state.lastBufferSize == 0 {
            // Stopped before there was any audio.
        }
    }

    private func apply(_ event: TranscriptionEvent) {
        let hasNewText = text.apply(event)
        if let level = event.level { audioProcessor.append(level: Float(level.rms)) }
        guard hasNewText || event.level != nil || event.state != nil || event.snapshot != nil else { return }
        change { new in
            new.isRecording = text.state == .running
            new.lastBufferSize = text.position.samples
            if event.level != nil { new.bufferEnergy = audioProcessor.relativeEnergy }
            new.apply(text)
        }
    }

    private func end() {
        (work, session) = (nil, nil)
        change { $0.isRecording = false }
        broadcast.finish()
    }

    private func change(_ body: (inout State) -> Void) {
        let old = state
        body(&state)
        guard state != old else { return }
        stateChangeCallback?(old, state)
        broadcast.send(state)
    }
}
