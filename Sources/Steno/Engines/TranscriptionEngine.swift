/// Transcribes live audio.
///
///     let factory = TranscriptionEngineFactory([ModelEngineProvider()])
///     let engine = try await factory.makeEngine(for: LiveOptions()).engine
///     Task { for await event in engine.events { view.show(event) } }
///     try await engine.start()
///     try await engine.append(contentsOf: MicrophoneSource().start())
///     try await engine.finish()
///
/// An engine transcribes one stream of audio, from ``start()`` to ``finish()`` or ``cancel()``. Make a new engine for the
/// next one, which is cheap, since engines share a loaded model.
public protocol TranscriptionEngine: AnyObject, Sendable {
    /// The events, in order; the stream ends after a final state.
    ///
    /// There is one stream, with one reader. Events that are not read yet are buffered.
    var events: AsyncStream<TranscriptionEvent> { get }

    /// Starts the session.
    ///
    /// - Throws: When the engine cannot run, or was started before.
    func start() async throws

    /// Takes the next chunk of audio: 16 kHz, mono, samples from −1 to 1, any number of them.
    ///
    /// Returns when the chunk is buffered, long before its text is available.
    /// - Throws: When the engine is not running.
    func append(_ samples: [Float]) async throws

    /// Reports that the audio is not continuous after the samples appended so far; the engine reports it in an event.
    ///
    /// Engines without such events do nothing.
    func report(_ discontinuity: AudioDiscontinuity) async

    /// Ends the audio and returns when all text is final.
    ///
    /// - Throws: The error that kept the engine from finishing.
    func finish() async throws

    /// Ends at once; text that is not final is lost.
    func cancel() async
}

extension TranscriptionEngine {
    /// Does nothing.
    public func report(_ discontinuity: AudioDiscontinuity) async {}
}
