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
/// words are transcribed. ``cancel()`` ends it at once, even while it is finishing. In every case the files are
/// complete when the last event, the final state, is sent. Failures of the files are events that are not fatal.
///
/// Another engine can take over in the middle of the audio (``replaceEngine(with:)``): for readers and files it stays one
/// session.
package final class LiveSessionRunner: @unchecked Sendable {
    // Sendable: all state is accessed under the lock.

    private let recorder: LiveRecorder?
    private let transcript: LiveTranscriptWriter?
    private let start: SessionStart
    private let broadcast: TranscriptionEventBroadcast

    /// The events of an engine, and the seconds of audio before it.
    private typealias Part = (events: TranscriptionEvents, time: Double)
    private let parts: AsyncStream<Part>
    private let nextPart: AsyncStream<Part>.Continuation

    private let lock = NSLock()
    private var engine: any TranscriptionEngine
    /// The engine that gets the following audio.
    private var successor: (any TranscriptionEngine)?
    private var replaced = 0
    private var stream: AudioStream?
    private var work: Task<Void, any Error>?
    private var isStopped = false
    private var isCancelled = false
    private var result: LiveRecorder.Recording?
    /// Why the session failed, unless the engine did, whose own events report it.
    private var failure: (any Error)?

    /// - Parameters:
    ///   - engine: An engine that has not been started.
    ///   - start: Where the times and numbers of the events begin; those in the files begin with the recording.
    package init(
        _ engine: any TranscriptionEngine, recorder: LiveRecorder? = nil, transcript: LiveTranscriptWriter? = nil,
        start: SessionStart = SessionStart()
    ) {
        self.start = start
        broadcast = TranscriptionEventBroadcast(from: start)
        (parts, nextPart) = AsyncStream.makeStream(of: Part.self)
        self.engine = engine
        self.recorder = recorder
        self.transcript = transcript
        let report: @Sendable (TranscriptionFailure) -> Void = { [broadcast] in
            broadcast.send(.init(.error($0), position: 0))
        }
        recorder?.onFailure(report)
        transcript?.onFailure(report)
    }

    /// The events of the engine, and failures of the files; each call adds a reader.
    ///
    /// Call it before ``run(_:onStart:)`` for all events.
    package func events(buffering: EventBuffering = .standard) -> TranscriptionEvents {
        broadcast.events(buffering: buffering)
    }

    /// Adds an event about a loss elsewhere, such as text that could not be stored; the session continues.
    package func report(_ failure: TranscriptionFailure) { broadcast.send(.init(.error(failure), position: 0)) }

    /// The recording, after ``run(_:onStart:)``.
    package var recording: LiveRecorder.Recording? { lock.withLock { result } }

    /// Runs until the audio ends or the session is stopped, and all text is in the files; can be called once.
    ///
    /// Cancelling the waiting task cancels the session.
    /// - Throws: The error of the source, after the last words were transcribed; the error of the engine;
    ///   `CancellationError` when the session was cancelled.
    package func run(_ source: any AudioSource, onStart: @escaping @Sendable () -> Void = {}) async throws {
        nextPart.yield((current.events(buffering: .unbounded), 0))
        let relay = Task { await self.relay() }
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
            await current.cancel()
        }
        nextPart.finish()
        await relay.value
        let (wasCancelled, hasAudio) = lock.withLock { (self.isCancelled, stream != nil) }
        if wasCancelled { throw CancellationError() }
        if case .failure(is CancellationError) = outcome, !hasAudio { return }
        try outcome.get()
    }

    /// Ends the audio; the last words are still transcribed.
    ///
    /// Before any audio, the session just ends, without a file.
    package func stop() {
        let (stream, work) = lock.withLock {
            isStopped = true
            return (self.stream, self.work)
        }
        if let stream { stream.stop() } else { work?.cancel() }
    }

    /// Whether ``stop()`` has ended the audio.
    package var wasStopped: Bool { lock.withLock { isStopped } }

    /// Ends the session at once; text that is not final is lost.
    package func cancel() {
        let work = lock.withLock {
            isCancelled = true
            return self.work
        }
        work?.cancel()
        Task { await current.cancel() }
    }

    /// Makes another engine take over with the next audio, once the earlier words are final.
    ///
    /// - Parameter successor: An engine that has not been started. Without more audio it is never started.
    package func replaceEngine(with successor: any TranscriptionEngine) { lock.withLock { self.successor = successor } }

    private var current: any TranscriptionEngine { lock.withLock { engine } }

    /// Passes on the audio until it ends.
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
        try await current.start()
        onStart()
        // The position at which the engine's audio begins.
        var start = 0
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
            if try await changeEngine(at: chunk.position) { start = chunk.position }
            try await current.append(chunk.moved(by: -start))
        }
        if let failure { broadcast.send(.init(.error(TranscriptionFailure(failure)), position: 0)) }
        try await current.finish()
        if let failure { throw failure }
    }

    /// Finishes the engine and starts its successor, if there is one; returns whether there is.
    private func changeEngine(at position: Int) async throws -> Bool {
        let next = lock.withLock {
            defer { successor = nil }
            if successor != nil { replaced += 1 }
            return successor
        }
        guard let next else { return false }
        // An engine that failed has reported it as an event; its successor transcribes from here.
        do { try await current.finish() } catch { try Task.checkCancellation() }
        let wasCancelled = lock.withLock {
            engine = next
            return isCancelled
        }
        nextPart.yield((next.events(buffering: .unbounded), position.seconds))
        if wasCancelled { await next.cancel() }
        try await next.start()
        return true
    }

    /// Passes on the events to the files and the readers; the final state follows when the files are closed.
    private func relay() async {
        var end: TranscriptionEvent?
        var begin = SessionStart(), index = 0
        for await part in parts {
            begin = SessionStart(time: part.time, segment: begin.segment, utterance: begin.utterance)
            var next = begin
            for await event in part.events {
                let own = event.moved(to: begin)
                if own.kind == .final, let last = own.segments.last {
                    next = SessionStart(time: 0, segment: last.id + 1, utterance: last.utterance + 1)
                }
                // The files have times from the start of the recording, the readers those of the session that this one
                // continues.
                transcript?.write(own)
                if own.state?.isEnd == true { end = own }
                if isPassedOn(own, of: index) { broadcast.send(survived(own, of: index).moved(to: start)) }
            }
            // An engine that failed while the source is silent, or waits for a device, must not leave it open, unless
            // another engine takes over.
            if !isFollowed(index) { lock.withLock { stream }?.stop() }
            (begin, index) = (next, index + 1)
        }
        await transcript?.close()
        let recording = await recorder?.close()
        lock.withLock { result = recording }
        if let end = end?.moved(to: start) {
            let failure = lock.withLock { end.state == .cancelled && !isCancelled ? self.failure : nil }
            if let failure {
                // The engine was cancelled because the source could not be started.
                broadcast.send(.init(.error(TranscriptionFailure(failure)), position: end.position))
                broadcast.send(.init(.state(.failed), position: end.position))
            } else {
                broadcast.send(end)
            }
        }
        broadcast.finish()
    }

    private func isReplaced(_ index: Int) -> Bool { lock.withLock { replaced > index } }

    /// Whether another engine has taken over, or is waiting for the next audio.
    private func isFollowed(_ index: Int) -> Bool { lock.withLock { replaced > index || successor != nil } }

    /// The failure of an engine does not end the session if another one takes over.
    private func survived(_ event: TranscriptionEvent, of index: Int) -> TranscriptionEvent {
        guard let failure = event.failure, failure.isFatal, isFollowed(index) else { return event }
        return .init(.error(TranscriptionFailure(failure, isFatal: false)), position: event.position)
    }

    /// Whether an event is passed on: of the states of all engines, only those that make up one session; its end is
    /// sent later.
    private func isPassedOn(_ event: TranscriptionEvent, of index: Int) -> Bool {
        switch event.state {
        case nil: true
        case .idle, .preparing, .running: index == 0
        case .finishing: !isReplaced(index)
        case .finished, .cancelled, .failed: false
        }
    }
}

extension AudioChunk {
    fileprivate func moved(by samples: Int) -> AudioChunk {
        guard samples != 0 else { return self }
        return AudioChunk(
            position: position + samples, samples: self.samples,
            discontinuities: discontinuities.map {
                AudioDiscontinuity($0.kind, position: $0.position + samples, length: $0.length)
            })
    }
}
