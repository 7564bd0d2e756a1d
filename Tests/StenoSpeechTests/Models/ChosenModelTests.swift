import Foundation
import StenoCore
import StenoModelStore
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoSpeech

struct ChosenModelTests {
    private let names = Monitor<[String]>([])
    private let folder = TemporaryFolder.ofSuite()

    private func install(_ name: String) throws {
        try FileManager.default.createSymbolicLink(
            at: folder.url.appendingPathComponent(name), withDestinationURL: Fixtures.nano)
    }

    /// - Parameters:
    ///   - named: The model of `$STENO_MODEL`.
    ///   - installs: What is on the machine after a download; nil is the model that was asked for.
    private func finder(
        _ choice: ModelChoice, named: String = "", installs: String? = nil, failing error: StenoError? = nil
    ) -> ChosenModel {
        let locator = ModelLocator(
            bundled: nil, environment: ["STENO_MODELS": folder.url.path, "STENO_MODEL": named], home: folder.url)
        let supply = ChosenModel.Supply(locator: locator) { [self] name, progress in
            names.update { $0.append(name) }
            progress(AssetProgress(fraction: 0.5, message: "Half."))
            if let error { throw error }
            try install(installs ?? name)
            return folder.url
        }
        return ChosenModel(choice, supply: supply)
    }

    private func refusal(_ finder: ChosenModel, _ language: String = "de") async -> SFSpeechError? {
        await #expect(throws: SFSpeechError.self) { try await finder.install(languages: [language]) { _ in } }
    }

    @Test func anInstalledModelIsNotDownloaded() async throws {
        try install("small")
        try await finder(.named("small")).install(languages: ["de"]) { _ in }
        try await finder(.folder(Fixtures.nano)).install(languages: ["de"]) { _ in }
        #expect(names.current.isEmpty)
        // Nor is a missing folder or bundled model.
        let folder = await refusal(finder(.folder(URL(fileURLWithPath: "/no/such/model"))))
        #expect(folder?.code == .noModel && folder?.message.contains("/no/such/model") == true)
        let bundled = await refusal(finder(.bundled))
        #expect(bundled?.code == .noModel && bundled?.message.contains("StenoBundledModel") == true)
        #expect(names.current.isEmpty)
    }

    @Test func theChosenModelIsDownloadedWithItsProgress() async throws {
        let fractions = Monitor<[Double?]>([])
        try await finder(.named("small.en")).install(languages: ["en"]) { report in
            fractions.update { $0.append(report.fraction) }
        }
        #expect(names.current == ["small.en"] && fractions.current == [0.5])
        try await finder(.automatic).install(languages: ["de"]) { _ in }
        #expect(names.current == ["small.en", "base"])
    }

    @Test func aFailedDownloadIsNoModel() async throws {
        let failed = await refusal(finder(.named("small"), failing: StenoError(.outputFailed, "The disk is full.")))
        #expect(failed?.code == .noModel && failed?.message == "The disk is full.")
        // The downloaded model must be the one in use.
        let other = await refusal(finder(.named("small"), installs: "other"))
        #expect(other?.code == .noModel && names.current == ["small", "small"])
    }

    /// Another model on the machine would not be the chosen one.
    @Test func aChosenModelThatDoesNotKnowTheLanguageIsRefusedBeforeAnyDownload() async throws {
        let missing = await refusal(finder(.named("small.en")))
        #expect(missing?.code == .cannotAllocateUnsupportedLocale && missing?.message.contains("small.en") == true)
        try install("small.en")
        for finder in [finder(.named("small.en")), finder(.automatic, named: "small.en")] {
            let error = await refusal(finder)
            #expect(error?.code == .cannotAllocateUnsupportedLocale && error?.message.contains("small.en") == true)
        }
        #expect(names.current.isEmpty)
    }
}

struct ModelCacheTests {
    /// The newest model; nobody else holds it.
    private struct Newest: Sendable { weak var model: LevelModel? }

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

    @Test func aModelInUseIsFreedWithItsLastAnalyzerAndARetainedModelIsLoadedOnce() async throws {
        for retention in [SpeechAnalyzer.Options.ModelRetention.whileInUse, .lingering, .processLifetime] {
            let (loads, kept) = try await use(retention)
            let isFreed = retention == .whileInUse
            #expect(loads == (isFreed ? 2 : 1) && kept == [!isFreed, !isFreed, false])
        }
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
