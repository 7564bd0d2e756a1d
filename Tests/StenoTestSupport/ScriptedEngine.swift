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

/// Makes scripted engines, after a preparation that a test ends.
package final class ScriptedProvider: TranscriptionEngineProvider {
    package let name: String
    package let requests = Recorder<EngineRequest>()
    private let script: [TranscriptionEvent]
    private let isFlexible: Bool
    private let answer: EngineCapability
    private let preparation: String?
    private let prepared: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    package init(
        _ script: [TranscriptionEvent], name: String = "Script", capability: EngineCapability = .ready,
        preparation: String? = nil, isFlexible: Bool = true
    ) {
        self.name = name
        self.script = script
        self.isFlexible = isFlexible
        answer = capability
        self.preparation = preparation
        (prepared, continuation) = AsyncStream.makeStream()
    }

    package func finishPreparing() { continuation.finish() }

    package func capability(for request: EngineRequest) async -> EngineCapability { answer }

    package func prepareAssets(for request: EngineRequest, progress: @escaping AssetProgress.Handler) async throws {
        guard let preparation else { return }
        progress(AssetProgress(fraction: nil, message: preparation))
        for await _ in prepared {}
        try Task.checkCancellation()
    }

    package func makeEngine(for request: EngineRequest) async throws -> any TranscriptionEngine {
        requests.add(request)
        guard request.language != "tlh" else { throw StenoError(.unknownLanguage, "Nobody knows Klingon.") }
        return isFlexible ? ScriptedEngine(script) : OneLanguageEngine(script)
    }
}

/// A scripted engine that has one language for life, as Apple's recognisers do.
private final class OneLanguageEngine: TranscriptionEngine {
    private let engine: ScriptedEngine

    init(_ script: [TranscriptionEvent]) { engine = ScriptedEngine(script) }

    func events(buffering: EventBuffering) -> TranscriptionEvents { engine.events(buffering: buffering) }
    func start() async throws { try await engine.start() }
    func append(_ samples: [Float]) async throws { try await engine.append(samples) }
    func append(_ chunk: AudioChunk) async throws { try await engine.append(chunk) }
    func finalize(through seconds: Double?) async throws { try await engine.finalize(through: seconds) }
    func clear() async throws { try await engine.clear() }
    func update(_ settings: SpeechSettings) async throws { throw StenoError(.invalidOption, "It has one language.") }
    func finish() async throws { try await engine.finish() }
    func cancel() async { await engine.cancel() }
}
