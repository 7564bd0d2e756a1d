import Foundation

@testable import Steno
@testable import StenoCore

/// Makes scripted engines, after a preparation that a test ends.
final class ScriptedProvider: TranscriptionEngineProvider {
    let name = "Script"
    private let script: [TranscriptionEvent]
    private let answer: EngineCapability
    private let preparation: String?
    private let prepared: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init(_ script: [TranscriptionEvent], capability: EngineCapability = .ready, preparation: String? = nil) {
        self.script = script
        answer = capability
        self.preparation = preparation
        (prepared, continuation) = AsyncStream.makeStream()
    }

    func finishPreparing() { continuation.finish() }

    func capability(for request: EngineRequest) async -> EngineCapability { answer }

    func prepareAssets(for request: EngineRequest, progress: @escaping AssetProgress.Handler) async throws {
        guard let preparation else { return }
        progress(AssetProgress(fraction: nil, message: preparation))
        for await _ in prepared {}
        try Task.checkCancellation()
    }

    func makeEngine(for request: EngineRequest) async throws -> any TranscriptionEngine { ScriptedEngine(script) }
}

/// A source whose audio comes when a test says so.
final class ScriptedSource: AudioSource, @unchecked Sendable {
    // Sendable: the state is accessed under the lock.
    let name = "a test"
    private let lock = NSLock()
    private let error: StenoError?
    private var output: AudioStream.Continuation?
    private var waiting: [@Sendable (AudioStream.Continuation) -> Void] = []
    private var position = 0
    private let stopped: AsyncStream<Void>
    private let stop: AsyncStream<Void>.Continuation

    init(error: StenoError? = nil) {
        self.error = error
        (stopped, stop) = AsyncStream.makeStream()
    }

    /// Starts a stream with the audio that was pushed before.
    func start() async throws -> AudioStream {
        if let error { throw error }
        let (stream, continuation) = AudioStream.makeStream { [weak self] in
            self?.end()
            self?.stop.finish()
        }
        let waiting = lock.withLock {
            output = continuation
            defer { self.waiting = [] }
            return self.waiting
        }
        for act in waiting { act(continuation) }
        return stream
    }

    func push(seconds: Double) {
        let samples = [Float](repeating: 0.3, count: Int(seconds * 16_000))
        let start = lock.withLock {
            defer { position += samples.count }
            return position
        }
        run { $0.yield(AudioChunk(position: start, samples: samples)) }
    }

    func end(_ error: (any Error)? = nil) { run { $0.finish(throwing: error) } }

    /// Acts on the stream, once there is one.
    private func run(_ act: @escaping @Sendable (AudioStream.Continuation) -> Void) {
        let output: AudioStream.Continuation? = lock.withLock {
            if self.output == nil { waiting.append(act) }
            return self.output
        }
        if let output { act(output) }
    }

    /// Returns when nobody reads any more.
    func hasStopped() async { for await _ in stopped {} }
}
