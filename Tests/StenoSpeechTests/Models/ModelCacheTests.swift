import Foundation
import StenoCore
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoSpeech

struct ModelCacheTests {
    /// The newest model; nobody else holds it.
    private struct Newest: Sendable {
        weak var model: LevelModel?
    }

    /// How often two analyzers, one after the other, load a model, and whether it is in memory after each.
    private func use(_ retention: SpeechAnalyzer.Options.ModelRetention) async throws -> (loads: Int, kept: [Bool]) {
        let newest = Monitor(Newest())
        let installer = ScriptedInstaller(making: {
            let model = LevelModel()
            newest.update { $0.model = model }
            return model
        })
        var kept: [Bool] = []
        try await with(SpeechEnvironment(installer: installer)) {
            for _ in 0..<2 {
                let options = SpeechAnalyzer.Options(priority: .medium, modelRetention: retention)
                let analyzer = SpeechAnalyzer(modules: [transcriber()], options: options)
                try await analyzer.prepareToAnalyze(in: nil)
                await analyzer.cancelAndFinishNow()
                kept.append(newest.read { $0.model != nil })
            }
            await SpeechModels.endRetention()
        }
        kept.append(newest.read { $0.model != nil })
        return (installer.loads.all.count, kept)
    }

    @Test func aModelInUseIsFreedWithItsLastAnalyzer() async throws {
        let (loads, kept) = try await use(.whileInUse)
        #expect(loads == 2 && kept == [false, false, false])
    }

    @Test(arguments: [SpeechAnalyzer.Options.ModelRetention.lingering, .processLifetime])
    func aRetainedModelIsLoadedOnce(_ retention: SpeechAnalyzer.Options.ModelRetention) async throws {
        let (loads, kept) = try await use(retention)
        #expect(loads == 1 && kept == [true, true, false])
    }

    @Test func concurrentAnalyzersShareAModel() async throws {
        let installer = ScriptedInstaller(LevelModel())
        try await with(.scripted(installer)) {
            let analyzers = (0..<4).map { _ in SpeechAnalyzer(modules: [transcriber()]) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for analyzer in analyzers { group.addTask { try await analyzer.prepareToAnalyze(in: nil) } }
                try await group.waitForAll()
            }
            #expect(installer.loads.all.count == 1)
            for analyzer in analyzers { await analyzer.cancelAndFinishNow() }
        }
    }
}
