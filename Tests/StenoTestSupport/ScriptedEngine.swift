package import Steno
package import StenoCore

/// An engine that emits scripted events at given positions of the audio.
///
/// Events are emitted as audio is appended, so a test needs no clock, model or microphone.
package actor ScriptedEngine: TranscriptionEngine {
    private nonisolated let broadcast = TranscriptionEventBroadcast()
    private var lifecycle = SessionLifecycle()
    private var script: [TranscriptionEvent]
    private var end = 0
    /// The settings of the last update; nil before that.
    package private(set) var settings: SpeechSettings?

    /// Creates an engine with events in the order of their positions.
    package init(_ script: [TranscriptionEvent]) { self.script = script }

    package nonisolated func events(buffering: EventBuffering) -> TranscriptionEvents {
        broadcast.events(buffering: buffering)
    }

    package func start() throws {
        try lifecycle.start()
        report()
        if lifecycle.prepared() { report() }
    }

    package func append(_ samples: [Float]) throws { try append(AudioChunk(position: end, samples: samples)) }

    /// Takes audio at its position and emits the events up to its end.
    package func append(_ chunk: AudioChunk) throws {
        try lifecycle.checkAccepting()
        for discontinuity in chunk.discontinuities {
            broadcast.send(.init(.discontinuity(discontinuity), position: end.seconds))
        }
        end = max(end, chunk.end)
        while let next = script.first, next.position <= end.seconds {
            broadcast.send(next)
            script.removeFirst()
        }
    }

    /// Returns at once: the events up to the end of the audio were emitted.
    package func finalize(through seconds: Double?) throws { try lifecycle.checkAccepting() }

    package func clear() throws {
        try lifecycle.checkAccepting()
        broadcast.send(.init(.cleared, position: end.seconds))
    }

    /// Keeps the settings; the script is the same in every language.
    package func update(_ settings: SpeechSettings) throws {
        try lifecycle.checkAccepting()
        self.settings = settings
    }

    /// Emits the rest of the script and ends.
    package func finish() throws {
        try lifecycle.finish()
        if lifecycle.heardAll() { report() }
        for event in script { broadcast.send(event) }
        script = []
        conclude(.finished)
        try lifecycle.ending?.result.get()
    }

    package func cancel() { conclude(.cancelled) }

    private func conclude(_ ending: SessionLifecycle.Ending) {
        guard lifecycle.end(ending) else { return }
        report()
        broadcast.finish()
    }

    private func report() { broadcast.send(.init(.state(lifecycle.state), position: end.seconds)) }
}
