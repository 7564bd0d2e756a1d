import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoSpeech

/// A session leaves nothing behind: no task, no thread, no model, no object.
@Suite(.timeLimit(.minutes(10))) struct LeftoverTests {
    private enum Ending: CaseIterable {
        case finished, cancelled, failed, dropped
    }

    private struct Remains: Sendable {
        weak var analyzer: SpeechAnalyzer?
        weak var module: SpeechTranscriber?
        weak var model: LevelModel?

        var areGone: Bool { analyzer == nil && module == nil && model == nil }
    }

    @Test(arguments: Ending.allCases) private func nothingIsLeft(after ending: Ending) async throws {
        let gone = Milestone()
        let remains = try await session(ending, gone)
        // The engines hold the model until their threads have ended.
        await gone.wait(for: 0)
        // A task of the analyzer holds it until the task has returned.
        try await waitWhile(!remains.areGone)
        #expect(remains.areGone)
    }

    private func session(_ ending: Ending, _ gone: Milestone) async throws -> Remains {
        let model = LevelModel(goneWith: gone)
        let talk = SpokenLevels(utterances: [3])
        // Given away with its first loading.
        let given = Monitor<LevelModel?>(model)
        let installer = ScriptedInstaller(making: {
            let model = given.update { $0.take() }
            return try #require(model)
        })
        return try await with(SpeechEnvironment.scripted(installer, pace: .realTime)) {
            let module = SpeechTranscriber(locale: english, preset: .progressiveTranscription)
            let analyzer = SpeechAnalyzer(modules: [module])
            let (stream, input) = AsyncStream<AnalyzerInput>.makeStream()
            try await analyzer.start(inputSequence: stream)
            for part in try inputs(talk.samples) { input.yield(part) }
            try await analyzer.finalize(through: CMTime(value: 1, timescale: 1))
            switch ending {
            case .finished:
                input.finish()
                try await analyzer.finalizeAndFinishThroughEndOfInput()
            case .cancelled: await analyzer.cancelAndFinishNow()
            case .failed: input.yield(try inputs(talk.samples, rate: 8_000)[0])
            case .dropped: break
            }
            if ending == .failed {
                await #expect(throws: SFSpeechError.self) { _ = try await module.results.all() }
            }
            return Remains(analyzer: analyzer, module: module, model: model)
        }
    }
}
