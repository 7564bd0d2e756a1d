/// Something that turns audio into text while it is spoken.
///
///     let engine = try await TranscriptionEngineFactory().makeEngine(for: request).engine
///     Task { for await event in engine.events { view.show(event) } }
///     try await engine.start()
///     for try await chunk in microphone.chunks { try await engine.append(chunk) }
///     try await engine.finish()
///
/// An engine transcribes one recording, from ``start()`` to ``finish()`` or ``cancel()``; the next sound takes a new
/// engine, which is cheap, since engines share a loaded model.
public protocol TranscriptionEngine: AnyObject, Sendable {
    /// What happens, in order; the stream ends after a state that is an end.
    ///
    /// It is one stream with one reader. Events that are not read yet are kept.
    var events: AsyncStream<TranscriptionEvent> { get }

    /// Begins to listen.
    ///
    /// - Throws: When the engine cannot work, or has been started before.
    func start() async throws

    /// Takes the next chunk of audio: 16 kHz, mono, samples from −1 to 1, any number of them.
    ///
    /// It returns when the chunk is taken in, which is long before its text is there.
    /// - Throws: When the engine does not run.
    func append(_ samples: [Float]) async throws

    /// Tells the engine that the audio is not continuous here, behind what it has taken in; it says so in an event.
    ///
    /// An engine that tells no such events does nothing.
    func report(_ discontinuity: AudioDiscontinuity) async

    /// Ends the audio and returns when all of its text is out.
    ///
    /// - Throws: What kept the engine from finishing.
    func finish() async throws

    /// Ends at once; text that is not out yet is lost.
    func cancel() async
}

extension TranscriptionEngine {
    /// Does nothing.
    public func report(_ discontinuity: AudioDiscontinuity) async {}
}
