import Foundation
import StenoTestSupport

@testable import Steno
@testable import StenoCore

/// Makes scripted engines, after a preparation that a test ends.
final class ScriptedProvider: TranscriptionEngineProvider {
    let name = "Script"
    let requests = Recorder<EngineRequest>()
    private let script: [TranscriptionEvent]
    private let isFlexible: Bool
    private let answer: EngineCapability
    private let preparation: String?
    private let prepared: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init(
        _ script: [TranscriptionEvent], capability: EngineCapability = .ready, preparation: String? = nil,
        isFlexible: Bool = true
    ) {
        self.script = script
        self.isFlexible = isFlexible
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

    func makeEngine(for request: EngineRequest) async throws -> any TranscriptionEngine {
        requests.add(request)
        guard request.language != "tlh" else { throw StenoError(.unknownLanguage, "Nobody knows Klingon.") }
        return isFlexible ? ScriptedEngine(script) : OneLanguageEngine(script)
    }
}

/// A scripted engine that has one language for life, as Apple's recognisers do.
final class OneLanguageEngine: TranscriptionEngine {
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

extension PushedSource {
    /// Pushes a steady level.
    func push(seconds: Double) { push([Float](repeating: 0.3, count: Int(seconds * 16_000))) }
}
