import Foundation
import StenoCore

/// Runs a live session from a source to its files, so that nothing is lost on the way.
///
///     let runner = LiveSessionRunner(engine, recorder: recorder, transcript: writer)
///     let events = runner.events()
///     Task { for await event in events { view.show(event) } }
///     try await runner.run(MicrophoneSource())
///
/// The end of the audio, ``stop()`` and a failure of the source (an unplugged microphone) finish the session: the last
/// words are transcribed. ``cancel()``, also while it finishes, ends it at once. In every case the files are complete
/// when the last event, the final state, is sent. Failures of the files are events that are not fatal.
package final class LiveSessionRunner: @unchecked Sendable {
    // Sendable: all state is accessed under the lock.

    private let engine: any TranscriptionEngine
    private let recorder: LiveRecorder?
    private let transcript: LiveTranscriptWriter?
    private let start: SessionStart
    private let broadcast: TranscriptionEventBroadcast

    private let lock = NSLock()
    private var stream: AudioStream?
    private var work: Task<Void, any Error>?
    private var isStopped = false
    private var isCancelled = false
    private var result: LiveRecorder.Recording?
    /// Why the session has failed, other than in the engine, whose own events say it.
    private var failure: (any Error)?

    /// Creates a session that has not started.
    ///
    /// - Parameters:
    ///   - engine: An engine that has not been started.
    ///   - recorder: Records the audio.
    ///   - transcript: Keeps the transcript in files.
    ///   - start: Where times and numbers begin.
    package init(
        _ engine: any TranscriptionEngine, recorder: LiveRecorder? = nil, transcript: LiveTranscriptWriter? = nil,
        start: SessionStart = SessionStart()
    ) {
        self.start = start
        broadcast = TranscriptionEventBroadcast(from: start)
        self.engine = engine
        self.recorder = recorder
        self.transcript = transcript
        let report: @Sendable (TranscriptionFailure) -> Void = { [broadcast] in
            broadcast.send(.error($0, position: 0))
        }
        recorder?.onFailure(report)
        transcript?.onFailure(report)
    }

    /// The events of the engine, and failures of the files; a new reader for each call, best before ``run(_:)``.
    package func events(buffering: EventBuffering = .standard) -> TranscriptionEvents {
        broadcast.events(buffering: buffering)
    }

    /// Adds an event about what was lost elsewhere, such as text that could not be stored; the session continues.
    package func report(_ failure: TranscriptionFailure) { broadcast.send(.error(failure, position: 0)) }

    /// What was recorded, after ``run(_:)``.
    package var recording: LiveRecorder.Recording? { lock.withLock { result } }

    /// Runs until the audio ends or the session is stopped, and all text is in the files; can be called once.
    ///
    /// Cancelling the waiting task cancels the session.
    /// - Parameter onStart: Called when the session is running.
    /// - Throws: The error of the source, after the last words were transcribed; the error of the engine;
    ///   `CancellationError` when the session was cancelled.
    package func run(_ source: any AudioSource, onStart: @escaping @Sendable () -> Void = {}) async throws {
        let events = engine.events(buffering: .unbounded)
        let relay = Task { await self.relay(events) }
        let work = Task { try await self.feed(source, onStart) }
        let (isStopped, isCancelled) = lock.withLock {
            self.work = work
            return (self.isStopped, self.isCancelled)
        }
        if isCancelled { cancel() } else if isStopped { stop() }
        let outcome = await withTaskCancellationHandler {
            await work.result
        } onCancel: {
            self.cancel()
        }
        if case .failure(let error) = outcome {
            if !(error is CancellationError) { lock.withLock { failure = error } }
            await engine.cancel()
        }
        await relay.value
        let (wasCancelled, hasAudio) = lock.withLock { (self.isCancelled, stream != nil) }
        if wasCancelled { throw CancellationError() }
        if case .failure(is CancellationError) = outcome, !hasAudio { return }
        try outcome.get()
    }

    /// Ends the audio; the last words are still transcribed.
    ///
    /// Before there is any audio the session just ends, without a file.
    package func stop() {
        let (stream, work) = lock.withLock {
            isStopped = true
            return (self.stream, self.work)
        }
        if let stream { stream.stop() } else { work?.cancel() }
    }

    /// Ends the session at once; text that is not final is lost.
    package func cancel() {
        let work = lock.withLock {
            isCancelled = true
            return self.work
        }
        work?.cancel()
        Task { await engine.cancel() }
    }

    /// Passes the audio on to its end.
    private func feed(_ source: any AudioSource, _ onStart: () -> Void) async throws {
        let stream = try await source.start()
        let isStopped = lock.withLock {
            if !self.isStopped { self.stream = stream }
            return self.isStopped
        }
        guard !isStopped else {
            stream.stop()
            throw CancellationError()
        }
        try await engine.start()
        onStart()
        var failure: (any Error)?
        var chunks = stream.makeAsyncIterator()
        while true {
            let chunk: AudioChunk?
            do {
                chunk = try await chunks.next()
            } catch {
                try Task.checkCancellation()
                failure = error
                break
            }
            guard let chunk else { break }
            recorder?.append(chunk)
            try await engine.append(chunk)
        }
        if let failure { broadcast.send(.error(TranscriptionFailure(failure), position: 0)) }
        try await engine.finish()
        if let failure { throw failure }
    }

    /// Passes on the events to the files and the readers; the end comes when the files are closed.
    private func relay(_ events: TranscriptionEvents) async {
        var end: TranscriptionEvent?
        for await event in events.map({ $0.moved(to: self.start) }) {
            transcript?.write(event)
            if event.state?.isEnd == true { end = event } else { broadcast.send(event) }
        }
        // An engine that failed while the source is silent, or waits for a device, must not leave it open.
        lock.withLock { stream }?.stop()
        await transcript?.close()
        let recording = await recorder?.close()
        lock.withLock { result = recording }
        if let end {
            let failure = lock.withLock { end.state == .cancelled && !isCancelled ? self.failure : nil }
            if let failure {
                // The engine was cancelled because the source could not be started.
                broadcast.send(.error(TranscriptionFailure(failure), position: end.position))
                broadcast.send(.state(.failed, position: end.position))
            } else {
                broadcast.send(end)
            }
        }
        broadcast.finish()
    }
}
