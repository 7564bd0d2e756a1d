import Foundation
import StenoTestSupport

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

extension PushedSource {
    /// Pushes a steady level.
    func push(seconds: Double) { push([Float](repeating: 0.3, count: Int(seconds * 16_000))) }
}
