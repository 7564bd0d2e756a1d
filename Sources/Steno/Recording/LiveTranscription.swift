public import Foundation
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
    /// - Parameter runner: It must not have been started, so that readers added before get the first event.
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

extension Transcriber {
    /// Starts transcribing live audio and returns when the session is running.
    ///
    ///     let session = try await transcriber.live(.microphone())
    ///
    /// Any number of sessions can run at once. They share the machine's cores, and each needs memory for decoding
    /// (about 100 MB with Whisper base).
    ///
    /// - Parameters:
    ///   - source: Where the audio comes from.
    ///   - options: Language, latency, guards.
    ///   - recording: A WAV file to record the audio to (16 kHz, mono, 16 bits).
    ///   - transcripts: Files for the text; the extension decides the format: txt, srt, vtt, lrc, json, tsv, rttm. Like
    ///     the recording they are always complete, even if the process is killed. They contain only the text of this
    ///     session, with times from 0, even if it continues another.
    ///   - subtitles: How to split the text of those files into cues.
    ///   - overwriting: Whether to replace existing files.
    ///   - previous: The text of an earlier session that this one continues: ids, utterances, times and speaker numbers
    ///     in the events continue from there, so that readers can apply the events to it.
    /// - Throws: `StenoError`: `captureUnavailable`, `permissionDenied` and other errors of the source; `invalidOption`
    ///   and `unknownLanguage`; `outputFailed` if a file cannot be written or already exists. `CancellationError`.
    public func live(
        _ source: LiveSource, options: LiveOptions = LiveOptions(), recording: URL? = nil, transcripts: [URL] = [],
        subtitles: SubtitleOptions = .readable, overwriting: Bool = false,
        continuing previous: LiveTranscript? = nil
    ) async throws -> LiveTranscription {
        let recorder = try recording.map { try LiveRecorder($0, overwriting: overwriting) }
        let writer =
            transcripts.isEmpty
            ? nil
            : try LiveTranscriptWriter(
                transcripts, subtitles: subtitles,
                language: LanguageCodes.language(options.language, among: information.languages),
                overwriting: overwriting)
        return try await live(
            source, options: options, buffering: .standard, recorder: recorder, transcript: writer,
            continuing: previous
        ).session
    }

    /// Transcribes live audio, with the caller's files and a reader that gets the first event.
    package func live(
        _ source: LiveSource, options: LiveOptions, buffering: EventBuffering, recorder: LiveRecorder? = nil,
        transcript: LiveTranscriptWriter? = nil, continuing previous: LiveTranscript? = nil
    ) async throws -> (session: LiveTranscription, events: TranscriptionEvents) {
        let engine = try ModelEngine(model: model, options: options, pace: LivePace(source), continuing: previous)
        let runner = LiveSessionRunner(
            engine, recorder: recorder, transcript: transcript,
            start: previous.map(SessionStart.init) ?? SessionStart())
        let events = runner.events(buffering: buffering)
        let session = try await LiveTranscription(
            engine, source: source.source, runner: runner, settings: options.settings)
        return (session, session.kept(by: events))
    }
}

extension SessionStart {
    /// Continues after all earlier audio.
    fileprivate init(_ previous: LiveTranscript) {
        self.init(
            time: previous.position, segment: (previous.finals.last?.id ?? -1) + 1,
            utterance: (previous.finals.last?.utterance ?? -1) + 1)
    }
}
