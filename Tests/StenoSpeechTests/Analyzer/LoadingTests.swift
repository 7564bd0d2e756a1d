import Foundation
import StenoBundledModel
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoSpeech

/// Calls while an input's models load, and what a cancelled input leaves behind.
@Suite(.timeLimit(.minutes(10))) struct LoadingTests {
    private let talk = SpokenLevels(utterances: [2])
    private let folder = TemporaryFolder.ofSuite()
    /// Reached when the loading has begun.
    private let began = Milestone()
    /// Reached when the loading may end.
    private let loading = Milestone()

    private func environment(fails: Bool = false) -> SpeechEnvironment {
        let load = { @Sendable [began, loading] in
            began.end()
            await loading.wait(for: 0)
            if fails { throw StenoError(.modelDamaged, "The model is damaged.") }
        }
        return .scripted(ScriptedInstaller(LevelModel(), onLoad: load))
    }

    enum Beginning: CaseIterable { case start, analyzeSequence, file }

    private func begin(_ beginning: Beginning, _ analyzer: SpeechAnalyzer) async throws {
        switch beginning {
        case .start: try await analyzer.start(inputSequence: sequence(try inputs(talk.samples)))
        case .analyzeSequence: _ = try await analyzer.analyzeSequence(sequence(try inputs(talk.samples)))
        case .file:
            let url = folder.url.appendingPathComponent("talk.wav")
            try AudioFile.write(samples: talk.samples, to: url)
            _ = try await analyzer.analyzeSequence(from: try AVAudioFile(forReading: url))
        }
    }

    /// Asks an analyzer to finish, and returns once it knows.
    private func finish(_ analyzer: SpeechAnalyzer) async throws -> Task<Void, any Error> {
        let task = Task { try await analyzer.finalizeAndFinish(through: CMTime(value: 60, timescale: 1)) }
        try await waitWhile(await !analyzer.hasLimit)
        return task
    }

    @Test(arguments: Beginning.allCases)
    func anInputIsReadToItsEndIfTheSessionIsFinishedWhileLoading(_ beginning: Beginning) async throws {
        try await with(environment(), transcriber()) { module, analyzer in
            let started = Task { try await begin(beginning, analyzer) }
            await began.wait(for: 0)
            // A second input is refused.
            await expectError(.analyzerState) { try await begin(.analyzeSequence, analyzer) }
            let finishing = try await finish(analyzer)
            loading.end()
            try await started.value
            try await finishing.value
            #expect(try await module.results.all().text == talk.text())
        }
    }

    @Test func aSessionFinishedWhileLoadingEndsWithTheLoadingError() async throws {
        try await with(environment(fails: true), transcriber()) { module, analyzer in
            let started = Task { try await begin(.start, analyzer) }
            await began.wait(for: 0)
            let finishing = try await finish(analyzer)
            loading.end()
            for work in [started, finishing] { await expectError(.noModel) { try await work.value } }
            await #expect(throws: SFSpeechError.self) { try await module.results.all() }
        }
    }

    /// The session continues: the next input may find another model.
    @Test func audioOfAFailedInputIsNotAwaited() async throws {
        try await with(environment(fails: true), transcriber()) { _, analyzer in
            let started = Task { try await begin(.start, analyzer) }
            await began.wait(for: 0)
            let finalizing = Task { try await analyzer.finalize(through: CMTime(value: 1, timescale: 1)) }
            try await waitWhile(await analyzer.hasAudio.waiters == 0)
            loading.end()
            await #expect(throws: SFSpeechError.self) { try await started.value }
            try await finalizing.value
            await #expect(throws: SFSpeechError.self) { try await begin(.analyzeSequence, analyzer) }
            try await analyzer.finalize(through: CMTime(value: 1, timescale: 1))
            await analyzer.cancelAndFinishNow()
        }
    }

    @Test func aSessionCancelledWhileLoadingIsFinished() async throws {
        try await with(environment(), transcriber()) { module, analyzer in
            let started = Task { try await begin(.start, analyzer) }
            await began.wait(for: 0)
            await analyzer.cancelAndFinishNow()
            // The model is still being loaded.
            await expectError(.analyzerState) { try await started.value }
            let results = try await module.results.all()
            #expect(results.isEmpty)
            loading.end()
        }
    }

    @Test func aCancelledStartLeavesRoomForAnotherInput() async throws {
        try await with(environment(), transcriber()) { module, analyzer in
            let started = Task { try await begin(.start, analyzer) }
            await began.wait(for: 0)
            started.cancel()
            await #expect(throws: CancellationError.self) { try await started.value }
            loading.end()
            try await begin(.analyzeSequence, analyzer)
            try await analyzer.finalizeAndFinishThroughEndOfInput()
            #expect(try await module.results.all().text == talk.text())
        }
    }

    /// The first format's converter must not outlive its input.
    @Test func aCancelledInputCanBeFollowedByAnotherFormat() async throws {
        try await with(.scripted(), transcriber()) { module, analyzer in
            let (stream, input) = AsyncStream<AnalyzerInput>.makeStream()
            for part in try inputs(talk.samples.flatMap { [$0, $0, $0] }, rate: 48_000) { input.yield(part) }
            let reading = Task { try await analyzer.analyzeSequence(stream) }
            // The end of the talk is silent, and the last samples are still in the converter.
            try await waitWhile(await (analyzer.volatileRange?.end.seconds ?? 0) < talk.seconds - 0.3)
            reading.cancel()
            await #expect(throws: CancellationError.self) { _ = try await reading.value }
            let end = try await analyzer.analyzeSequence(sequence(try inputs(talk.samples)))
            #expect(abs((end?.seconds ?? 0) - 2 * talk.seconds) < 0.4)
            try await analyzer.finalizeAndFinishThroughEndOfInput()
            #expect(try await module.results.all().text == talk.text() + " " + talk.text())
            input.finish()
        }
    }
}

struct AssetInventoryTests {
    @Test func aModelIsInstalledOnce() async throws {
        let (module, statuses) = (Monitor<SpeechTranscriber?>(nil), Recorder<AssetInventory.Status>())
        @Sendable func addStatus() async {
            statuses.add(await AssetInventory.status(forModules: [module.current].compactMap(\.self)))
        }
        try await with(.scripted(ScriptedInstaller(LevelModel(), isInstalled: false, onInstall: addStatus))) {
            module.current = transcriber()
            let modules: [any SpeechModule] = [module.current].compactMap(\.self)
            await addStatus()
            #expect(await SpeechTranscriber.installedLocales.isEmpty)
            let request = try #require(try await AssetInventory.assetInstallationRequest(supporting: modules))
            #expect(request.progress.fractionCompleted == 0)
            try await request.downloadAndInstall()
            #expect(request.progress.fractionCompleted == 1)
            await addStatus()
            #expect(await AssetInventory.status(forModules: modules + [SpeechDetector()]) == .installed)
            #expect(try await AssetInventory.assetInstallationRequest(supporting: modules) == nil)
            #expect(await SpeechTranscriber.installedLocales.contains(english))
        }
        #expect(statuses.all == [.supported, .downloading, .installed])
        // The module holds the installer, which holds the module.
        module.current = nil
    }

    @Test func withoutNetworkTheErrorNamesACommand() async throws {
        try await with(.scripted(ScriptedInstaller(LevelModel(), isInstalled: false, mayDownload: false))) {
            let request = try #require(try await AssetInventory.assetInstallationRequest(supporting: [transcriber()]))
            await expectError(.noModel, "steno models download") { try await request.downloadAndInstall() }
            #expect(request.progress.fractionCompleted < 1)
        }
        // So does the error for a model that is not there.
        let nowhere = ChosenModel(onThisMachine: .named("no-such-model"))
        try await with(SpeechEnvironment(installer: nowhere)) {
            #expect(await SpeechTranscriber.installedLocales.isEmpty)
            await expectError(.noModel, "steno models download base") {
                try await nowhere.install(languages: ["en"]) { _ in }
            }
        }
    }

    @Test func aLanguageThatNoModelKnowsIsRefused() async throws {
        try await with(.scripted()) {
            let module = transcriber(Locale(identifier: "tlh"))
            #expect(await AssetInventory.status(forModules: [transcriber(), module]) == .unsupported)
            for attempt in [
                { _ = try await AssetInventory.assetInstallationRequest(supporting: [module]) },
                { _ = try await AssetInventory.reserve(locale: Locale(identifier: "tlh")) },
            ] as [() async throws -> Void] {
                await expectError(.cannotAllocateUnsupportedLocale) { try await attempt() }
            }
        }
    }

    @Test func localesAreReservedUpToALimit() async throws {
        try await with(.scripted(ScriptedInstaller(), maximumReservedLocales: 1)) { () async throws in
            #expect(AssetInventory.maximumReservedLocales == 1)
            #expect(try await AssetInventory.reserve(locale: english))
            #expect(try await !AssetInventory.allocate(locale: Locale(identifier: "en-US")))
            await expectError(.tooManyAssetLocalesAllocated) { try await AssetInventory.reserve(locale: german) }
            #expect(await AssetInventory.allocatedLocales == [english])
            #expect(await AssetInventory.deallocate(locale: english))
            #expect(await !AssetInventory.release(reservedLocale: english))
            #expect(try await AssetInventory.reserve(locale: german))
        }
    }

    @Test func everyRegionOfALanguageIsSupported() async throws {
        let supported = Set(await SpeechTranscriber.supportedLocales.map { $0.identifier(.bcp47) })
        #expect(supported.isSuperset(of: ["en", "en-US", "en-GB", "de-AT", "pt-BR", "ja-JP", "nb-NO", "yue"]))
        #expect(!supported.contains("tlh") && supported.count > 200)
        let equivalent = await SpeechTranscriber.supportedLocale(equivalentTo: Locale(identifier: "en_US"))
        #expect(equivalent?.identifier(.bcp47) == "en-US")
        #expect(
            await DictationTranscriber.supportedLocale(equivalentTo: Locale(identifier: "de-US"))?.identifier == "de")
        #expect(await SpeechTranscriber.supportedLocale(equivalentTo: Locale(identifier: "tlh")) == nil)
        // With the bundled model they are installed.
        try #require(BundledModel.isInstalled)
        try await with(SpeechEnvironment(installer: ChosenModel(onThisMachine: .bundled))) { () async throws in
            #expect(await AssetInventory.status(forModules: [transcriber(german)]) == .installed)
            #expect(await Set(SpeechTranscriber.installedLocales) == Set(SpeechTranscriber.supportedLocales))
        }
    }
}
