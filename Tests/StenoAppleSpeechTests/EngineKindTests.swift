import Foundation
import StenoBundledModel
import StenoRecognizer
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoAppleSpeech

/// What this system has, which on Linux is Whisper alone.
@Suite(.timeLimit(.minutes(60))) struct EngineKindTests {
    #if !canImport(Speech)
        @Test func enginesThatTheSystemLacksSayWhyAndWhisperTakesTheirPlace() async throws {
            for kind in [EngineKind.speechAnalyzer, .speechRecognizer] {
                let obstacle = await kind.obstacle(for: "en")
                #expect(obstacle?.contains("does not have") == true)
                await #expect(throws: StenoError.self) {
                    try await kind.provider(model: nil).makeEngine(for: EngineRequest(language: "en"))
                }
            }
            let model = try BundledModel.folder.path
            let factory = TranscriptionEngineFactory(EngineKind.all.map { $0.provider(model: model) })
            let choice = try await factory.makeEngine(for: EngineRequest(language: "en"))
            #expect(choice.provider == EngineKind.whisper.name)
            #expect(choice.fallbackReason?.contains("SpeechAnalyzer: ") == true)
        }

        @Test @MainActor func aRecognizerWithoutAnyEngineSaysSo() async throws {
            let recognizer = SpeechRecognizer(engines: [.speechAnalyzer], language: "en")
            recognizer.start(LiveSource(PushedSource()))
            try await waitWhile(!recognizer.state.isEnd)
            #expect(recognizer.state == .failed)
            #expect(recognizer.failure?.message.contains("SpeechAnalyzer") == true)
        }
    #endif
}
