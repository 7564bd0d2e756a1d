import Foundation
public import StenoCore

/// A live session, which owns the audio source and the engine.
///
/// ``Transcriber`` starts one with `live`:
///
///     let session = try await transcriber.live(.microphone())
///     Task { for await event in session.events { view.show(event) } }
///     // …
///     try await session.stop()
///
/// ``events`` always ends: after ``stop()`` or ``cancel()``, when the audio ends, or when the source or the engine
/// fails, which an event of kind `error` reports. A failure of the source (an unplugged microphone) finishes the
/// session as ``stop()`` does: the last words are still transcribed.
///
/// A session without references is cancelled, so that no microphone stays open just because a task waits for its
/// events. A file, which ends by itself, is still transcribed as long as its events are read.
public final class LiveTranscription: Sendable {
    private let runner: LiveSessionRunner
    private let engine: any TranscriptionEngine
    private let work: Task<Void, any Error>
    /// Whether the audio ends by itself, as in a file.
    private let endsByItself: Bool
    /// The settings for the following audio; nil while an update is in progress.
    private let settings: Monitor<SpeechSettings?>

    /// Starts a session and returns when it is running.
    ///
    /// - Parameters:
    ///   - runner: Runs the engine; it must not have been started, so that readers added before get the first event.
    ///   - settings: The settings that the engine begins with.
    init(
        _ engine: any TranscriptionEngine, source: any AudioSource, runner: LiveSessionRunner,
        settings: SpeechSettings
    ) async throws {
        let (starting, signal) = AsyncStream.makeStream(of: Void.self)
        let work = Task {
            defer { signal.finish() }
            try await runner.run(source) { signal.yield() }
        }
        (self.engine, self.runner, self.work) = (engine, runner, work)
        self.settings = Monitor(settings)
        endsByItself = source is FileSource
        try await withTaskCancellationHandler {
            for await _ in starting { return }
            // It ended before it was running, or the caller was cancelled.
            try await work.value
            throw CancellationError()
        } onCancel: {
            runner.cancel()
        }
    }

    deinit { runner.cancel() }

    /// A new reader of the events from now on.
    ///
    /// Each access adds one, which first gets a snapshot of the text so far.
    public var events: TranscriptionEvents { kept(by: runner.events()) }

    /// The events, which retain the session if its audio ends by itself.
    func kept(by events: TranscriptionEvents) -> TranscriptionEvents {
        var events = events
        if endsByItself { events.session = self }
        return events
    }

    /// A reader of the events with a given kind of buffer.
    package func events(buffering: EventBuffering) -> TranscriptionEvents { runner.events(buffering: buffering) }

    /// Ends the audio and returns when the last words are final and all files are complete.
    ///
    /// After the end of the session it returns or throws immediately. Cancelling the waiting task cancels the session.
    /// - Throws: The error of the source or the engine that ended the session; `CancellationError` if it was cancelled.
    public func stop() async throws {
        runner.stop()
        try await wait()
    }

    /// Returns when the session has ended, by itself or by ``stop()``.
    ///
    /// - Throws: As ``stop()`` does.
    public func wait() async throws {
        try await withTaskCancellationHandler {
            try await work.value
        } onCancel: {
            runner.cancel()
        }
    }

    /// Ends immediately: text that is not final is lost, and files are complete up to the last final text.
    public func cancel() async {
        runner.cancel()
        _ = await work.result
    }

    /// Makes the text of all audio so far final and then returns; the session continues.
    ///
    /// - Throws: `StenoError.engineState` if the session has finished; `CancellationError` if it was cancelled; the
    ///   error that ended it if it failed.
    public func finalize() async throws { try await engine.finalize() }

    /// Clears the transcript and its context; the session continues with an empty transcript.
    ///
    /// - Throws: As ``finalize()`` does.
    public func clear() async throws { try await engine.clear() }

    /// Changes the language, the task or the vocabulary for the audio from now on.
    ///
    ///     try await session.update { $0.language = "de" }
    ///
    /// - Parameter change: Changes the current settings.
    /// - Throws: As ``finalize()`` does, and `StenoError`: `unknownLanguage`, `invalidOption`; then nothing changes.
    public func update(_ change: @Sendable (inout SpeechSettings) -> Void) async throws {
        // Updates run one after the other, so that each builds on the previous one.
        let before = try await settings.wait { settings -> SpeechSettings? in
            defer { settings = nil }
            return settings
        }
        var now = before
        change(&now)
        do {
            try await engine.update(now)
        } catch {
            settings.update { $0 = before }
            throw error
        }
        settings.update { $0 = now }
    }
}
