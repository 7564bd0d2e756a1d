/// Transcribes live audio.
///
///     let factory = TranscriptionEngineFactory([ModelEngineProvider()])
///     let engine = try await factory.makeEngine(for: EngineRequest()).engine
///     let events = engine.events
///     Task { for await event in events { view.show(event) } }
///     try await engine.start()
///     for try await chunk in try await MicrophoneSource().start() { try await engine.append(chunk) }
///     try await engine.finish()
///
/// An engine transcribes one stream of audio, from ``start()`` to ``finish()`` or ``cancel()``. Make a new engine for
/// the next one, which is cheap, since engines share a loaded model. All methods may be called by any task at any time;
/// a call that is not possible in the current state throws and changes nothing.
package protocol TranscriptionEngine: AnyObject, Sendable {
    /// A reader of the events from now on; each call adds one.
    ///
    /// Make it before ``start()`` to get every event. A later reader first gets a snapshot of the text so far.
    func events(buffering: EventBuffering) -> TranscriptionEvents

    /// Starts the session and returns when it is running.
    ///
    /// - Throws: When the engine cannot run, which ends it, or was started before.
    func start() async throws

    /// Takes audio that continues the previous audio: any number of samples from −1 to 1, 16 kHz, mono.
    ///
    /// Returns when the audio is buffered, usually long before its text is available; while a lot of audio is waiting,
    /// the call waits.
    /// - Throws: When the engine is not running, or ends before the audio was buffered.
    func append(_ samples: [Float]) async throws

    /// Takes audio at its position in the stream.
    ///
    /// A position after the end of the audio so far leaves a gap, which counts as silence and takes no memory whatever
    /// its length; audio before the end was appended already and is dropped. The chunk's discontinuities become events.
    /// - Throws: As ``append(_:)-([Float])``, and for positions below 0.
    func append(_ chunk: AudioChunk) async throws

    /// Makes the text of the audio before `seconds` final, and returns when it is; the session continues.
    ///
    /// - Parameter seconds: A time from the start of the audio; nil is the end of all audio appended so far. For a time
    ///   still to come, the call waits.
    /// - Throws: When the engine is not running, or ends before the text is final.
    func finalize(through seconds: Double?) async throws

    /// Clears the transcript: audio appended so far produces no more text, and no context for later audio.
    ///
    /// - Throws: When the engine is not running.
    func clear() async throws

    /// Changes the language, the task or the vocabulary for the audio appended from now on.
    ///
    /// - Throws: When the engine is not running or cannot work with the settings.
    func update(_ settings: SpeechSettings) async throws

    /// Ends the audio and returns when all text is final and in the buffers of all readers.
    ///
    /// After the end of the session it returns, or throws the error that ended it.
    /// - Throws: The error that kept the engine from finishing, `CancellationError` if it was cancelled.
    func finish() async throws

    /// Ends at once; text that is not final is lost. An engine cancelled before ``start()`` cannot be started.
    func cancel() async
}

extension TranscriptionEngine {
    /// A reader of the events from now on, with a buffer of about a minute (``EventBuffering/standard``).
    ///
    /// Each use of this property adds a reader: keep the value to continue reading.
    package var events: TranscriptionEvents { events(buffering: .standard) }

    /// Makes the text of all audio appended so far final, and returns when it is; the session continues.
    package func finalize() async throws { try await finalize(through: nil) }
}
