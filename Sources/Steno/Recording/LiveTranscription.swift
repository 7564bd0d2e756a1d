import Foundation
public import StenoCore

/// A live session: it owns the source of the audio and the engine, from ``Transcriber`` and its call `live`
/// to its end.
///
///     let session = try await transcriber.live(.microphone())
///     Task { for await event in session.events { view.show(event) } }
///     // …
///     try await session.stop()
///
/// ``events`` always ends: after ``stop()``, after ``cancel()``, when the audio ends by itself, and when the source or the
/// engine fails, which an event of kind `error` reports. A failure of the source (an unplugged microphone) finishes the
/// session as ``stop()`` does: the last words are still transcribed.
///
/// A session that nobody holds is cancelled: no microphone stays open because something still waits for its events. Only
/// a file, which ends by itself, is transcribed as long as its events are read.
public final class LiveTranscription: Sendable {
    private let runner: LiveSessionRunner
    private let engine: any TranscriptionEngine
    private let work: Task<Void, any Error>
    /// Whether the audio ends without anybody stopping it.
    private let endsByItself: Bool
    /// The settings of the audio from here on; nil while an update is under way.
    private let settings: Monitor<SpeechSettings?>

    /// Starts a session and returns when it is running.
    ///
    /// - Parameters:
    ///   - runner: Runs the engine; it has not been started, so readers can be added that get the first event.
    ///   - settings: Those that the engine begins with.
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
            // It has ended before it was running, or the caller was cancelled.
            try await work.value
            throw CancellationError()
        } onCancel: {
            runner.cancel()
        }
    }

    deinit { runner.cancel() }

    /// A reader of the events from now on; each use of this property adds one, which first gets a snapshot of the text
    /// so far.
    public var events: TranscriptionEvents { kept(by: runner.events()) }

    /// The events, which hold the session if its audio ends by itself.
    func kept(by events: TranscriptionEvents) -> TranscriptionEvents {
        var events = events
        if endsByItself { events.session = self }
        return events
    }

    /// A reader of the events with a buffer of its own kind.
    package func events(buffering: EventBuffering) -> TranscriptionEvents { runner.events(buffering: buffering) }

    /// Ends the audio and returns when the last words are final and all files are complete.
    ///
    /// After the end of the session it returns, or throws, at once. Cancelling the waiting task cancels the session.
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

    /// Ends at once, and returns when that is done: text that is not final is lost, files are complete with what is.
    public func cancel() async {
        runner.cancel()
        _ = await work.result
    }

    /// Makes the text of all audio so far final, and returns when it is; the session continues.
    ///
    /// - Throws: `StenoError.engineState` when the session has finished; `CancellationError`, or the error that ended it,
    ///   when it was cancelled or has failed.
    public func finalize() async throws { try await engine.finalize() }

    /// Forgets the transcript and its context; the session continues with an empty one.
    ///
    /// - Throws: As ``finalize()`` does.
    public func clear() async throws { try await engine.clear() }

    /// Changes the language, the task or the vocabulary for the audio from here on; the others stay as they are.
    ///
    ///     try await session.update { $0.language = "de" }
    ///
    /// - Parameter change: Changes the settings, which are those of the options or of the last update.
    /// - Throws: As ``finalize()`` does, and `StenoError`: `unknownLanguage`, `invalidOption`; then nothing has changed.
    public func update(_ change: @Sendable (inout SpeechSettings) -> Void) async throws {
        // One after the other, so that each changes what the one before has left.
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
