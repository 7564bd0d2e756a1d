package import Steno
import StenoCore

/// Live transcription by one of the system's recognisers.
///
/// It implements ``TranscriptionEngine`` for all of them: the lifecycle, the timeline, levels and events. They differ
/// in their ``RecognitionBackend``.
package actor RecognitionEngine: TranscriptionEngine {
    private nonisolated let broadcast = TranscriptionEventBroadcast()
    private let backend: any RecognitionBackend
    private let onFailure: @Sendable (any Error) -> Void
    private var lifecycle = SessionLifecycle()
    private var translation = PhraseTranslation()
    private var meter = LevelMeter()
    private var speech = SpeechLevel()
    /// The number of samples so far, gaps included.
    private var end = 0
    private var reader: Task<Void, Never>?
    private var ending: Task<Void, any Error>?
    private let progress = Monitor(Progress())
    private var nextRequest = 0

    /// The conditions that callers wait for.
    private struct Progress: Sendable {
        var ending: SessionLifecycle.Ending?
        /// The seconds of audio accepted so far; infinity at the end.
        var heard = 0.0
        /// The times up to which callers are waiting for audio.
        var awaited: [Int: Double] = [:]
        var open: Set<Int> = []
    }

    /// - Parameter onFailure: Called when the session fails, as by ``FailureMemory/remember(_:for:)``.
    package init(_ backend: any RecognitionBackend, onFailure: @escaping @Sendable (any Error) -> Void = { _ in }) {
        (self.backend, self.onFailure) = (backend, onFailure)
    }

    deinit {
        reader?.cancel()
        broadcast.finish()
        Task { [backend] in await backend.cancel() }
    }

    package nonisolated func events(buffering: EventBuffering) -> TranscriptionEvents {
        broadcast.events(buffering: buffering)
    }

    // MARK: Lifecycle

    package func start() async throws {
        try lifecycle.start()
        report()
        do {
            let reports = try await withTaskCancellationHandler {
                try await backend.start()
            } onCancel: {
                Task { await self.cancel() }
            }
            // cancel() may have been called in the meantime.
            if let ending = lifecycle.ending {
                await backend.cancel()
                return try ending.result.get()
            }
            if lifecycle.prepared() { report() }
            reader = Task { [weak self] in
                do {
                    for try await report in reports { await self?.take(report) }
                } catch {
                    await self?.fail(error)
                }
            }
        } catch {
            await fail(error)
            // The first cause counts: once a session is cancelled, the recogniser may throw anything.
            try lifecycle.ending?.result.get()
        }
    }

    /// Ends the audio and returns when all text is final; cancelling the waiting task cancels the engine.
    package func finish() async throws {
        try lifecycle.finish()
        if let ending = lifecycle.ending { return try ending.result.get() }
        let ending = self.ending ?? Task { try await self.finishOnce() }
        self.ending = ending
        try await withTaskCancellationHandler {
            try await ending.value
        } onCancel: {
            Task { await self.cancel() }
        }
    }

    private func finishOnce() async throws {
        if lifecycle.heardAll() { report() }
        if let level = meter.finish() { broadcast.send(.init(.level(level), position: end.seconds)) }
        progress.update { $0.heard = .infinity }
        do { try await backend.finish() } catch { await fail(error) }
        await reader?.value
        if lifecycle.ending == nil { send(translation.finish(position: end.seconds)) }
        conclude(.finished)
        try lifecycle.ending?.result.get()
    }

    package func cancel() async {
        conclude(.cancelled)
        await backend.cancel()
    }

    private func fail(_ error: any Error) async {
        if !(error is CancellationError), lifecycle.ending == nil { onFailure(error) }
        conclude(error is CancellationError ? .cancelled : .failed(error))
        await backend.cancel()
    }

    private func conclude(_ ending: SessionLifecycle.Ending) {
        guard lifecycle.end(ending) else { return }
        if case .failed(let error) = ending {
            // Text that was shown is kept even if the recogniser fails.
            send(translation.finish(position: end.seconds))
            broadcast.send(.init(.error(TranscriptionFailure(error)), position: end.seconds))
        }
        report()
        broadcast.finish()
        reader?.cancel()
        progress.update { $0.ending = ending }
    }

    // MARK: Audio and requests

    package func append(_ samples: [Float]) async throws {
        try await append(AudioChunk(position: end, samples: samples))
    }

    package func append(_ chunk: AudioChunk) async throws {
        try lifecycle.checkAccepting()
        guard chunk.position >= 0 else {
            throw StenoError(.invalidOption, "An audio chunk's position must be 0 or more.")
        }
        for discontinuity in chunk.discontinuities {
            broadcast.send(.init(.discontinuity(discontinuity), position: end.seconds))
        }
        let known = max(0, min(chunk.samples.count, end - chunk.position))
        let samples = chunk.samples.dropFirst(known)
        guard !samples.isEmpty else { return }
        let position = max(end, chunk.position)
        if speech.skip(position - end) { reportSpeech() }
        let audio = hear(samples, at: position), heard = end.seconds
        // Also if the caller is cancelled while the backend has no room: it has accepted the audio.
        defer { progress.update { $0.heard = max($0.heard, heard) } }
        try await backend.append(audio)
    }

    /// Reports levels and speech, in pieces of a tenth of a second: a chunk may be minutes of a file.
    private func hear(_ samples: ArraySlice<Float>, at position: Int) -> [HeardAudio] {
        let requests = Set(progress.read { $0.awaited.values.map(\.samples) })
        var pieces: [HeardAudio] = []
        var rest = samples
        end = position
        while !rest.isEmpty {
            // A piece ends where a caller is waiting for the text.
            let next = requests.filter { $0 > end }.min().map { $0 - end } ?? .max
            let piece = Array(rest.prefix(min(Self.pieceLength, next)))
            rest = rest.dropFirst(piece.count)
            let start = end
            end += piece.count
            for level in meter.append(piece) { broadcast.send(.init(.level(level), position: end.seconds)) }
            if speech.append(piece) { reportSpeech() }
            pieces.append(
                HeardAudio(
                    position: start, samples: piece, isSpeech: speech.isSpeaking, endsRequest: requests.contains(end)))
        }
        return pieces
    }

    private static let pieceLength = 0.1.samples

    private func reportSpeech() {
        broadcast.send(.init(.speech(isSpeaking: speech.isSpeaking, time: end.seconds), position: end.seconds))
    }

    package func finalize(through seconds: Double?) async throws {
        try lifecycle.checkAccepting()
        if let seconds, !(seconds.isFinite && seconds >= 0) {
            throw StenoError(.invalidOption, "The time to finalize through must be 0 seconds or more.")
        }
        let target = seconds ?? end.seconds
        nextRequest += 1
        let id = nextRequest
        if target > end.seconds, !lifecycle.audioHasEnded {
            // Before awaiting anything: a piece of the next audio must end there.
            progress.update { $0.awaited[id] = target }
            defer { progress.update { $0.awaited[id] = nil } }
            let result = try await progress.wait { progress -> Result<Void, any Error>? in
                if let ending = progress.ending { return ending.result }
                return progress.heard >= target ? .success(()) : nil
            }
            try result.get()
        }
        if let ending = lifecycle.ending { return try ending.result.get() }
        // Ending makes all text final.
        if let ending { return try await ending.value }
        progress.update { _ = $0.open.insert(id) }
        // A cancelled caller does not wait for the report.
        defer { progress.update { _ = $0.open.remove(id) } }
        try await backend.finalize(through: target.samples, id: id)
        let result = try await progress.wait { progress -> Result<Void, any Error>? in
            progress.open.contains(id) ? progress.ending?.result : .success(())
        }
        try result.get()
        send(translation.promote(through: target, position: end.seconds))
    }

    package func clear() async throws {
        try lifecycle.checkAccepting()
        translation.clear(before: end.seconds)
        broadcast.send(.init(.cleared, position: end.seconds))
        await backend.clear()
    }

    /// Throws: each of the system's recognisers supports one language only.
    package func update(_ settings: SpeechSettings) async throws {
        try lifecycle.checkAccepting()
        throw StenoError(
            .invalidOption, "The system's recogniser cannot change its language. End the session and start a new one.")
    }

    // MARK: Phrases

    private func take(_ report: RecognitionReport) {
        guard lifecycle.ending == nil else { return }
        switch report {
        case .phrase(let phrase): send(translation.apply(phrase, position: end.seconds))
        case .finalized(let id): progress.update { _ = $0.open.remove(id) }
        }
    }

    private func send(_ events: [TranscriptionEvent]) {
        for event in events { broadcast.send(event) }
    }

    private func report() { broadcast.send(.init(.state(lifecycle.state), position: end.seconds)) }

    /// The number of requests to finalize, and of callers waiting for audio.
    var openRequests: Int { progress.read { $0.open.count + $0.awaited.count } }
}
