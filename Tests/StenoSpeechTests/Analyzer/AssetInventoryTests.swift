import Foundation
import StenoBundledModel
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoSpeech

struct AssetInventoryTests {
    @Test func aModelIsInstalledOnce() async throws {
        try await with(.scripted(ScriptedInstaller(LevelModel(), isInstalled: false))) {
            let module = transcriber()
            #expect(await AssetInventory.status(forModules: [module]) == .supported)
            #expect(await SpeechTranscriber.installedLocales.isEmpty)
            let request = try #require(try await AssetInventory.assetInstallationRequest(supporting: [module]))
            #expect(request.progress.fractionCompleted == 0)
            try await request.downloadAndInstall()
            #expect(request.progress.fractionCompleted == 1)
            #expect(await AssetInventory.status(forModules: [module, SpeechDetector()]) == .installed)
            #expect(try await AssetInventory.assetInstallationRequest(supporting: [module]) == nil)
            #expect(await SpeechTranscriber.installedLocales.contains(english))
        }
    }

    @Test func theStatusReportsADownload() async throws {
        let (module, statuses) = (Monitor<SpeechTranscriber?>(nil), Recorder<AssetInventory.Status>())
        let installer = ScriptedInstaller(LevelModel(), isInstalled: false) {
            statuses.add(await AssetInventory.status(forModules: [module.current].compactMap(\.self)))
        }
        try await with(.scripted(installer)) {
            module.current = transcriber()
            let modules: [any SpeechModule] = [module.current].compactMap(\.self)
            try await AssetInventory.assetInstallationRequest(supporting: modules)?.downloadAndInstall()
            statuses.add(await AssetInventory.status(forModules: modules))
        }
        #expect(statuses.all == [.downloading, .installed])
        // The module holds the installer, which holds the module.
        module.current = nil
    }

    @Test func withoutNetworkTheErrorNamesACommand() async throws {
        try await with(.scripted(ScriptedInstaller(LevelModel(), isInstalled: false, mayDownload: false))) {
            let request = try #require(try await AssetInventory.assetInstallationRequest(supporting: [transcriber()]))
            await expectError(.noModel, "steno models download") { try await request.downloadAndInstall() }
            #expect(request.progress.fractionCompleted < 1)
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
        try await with(.scripted(maximumReservedLocales: 1)) { () async throws in
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
    }

    @Test func theBundledModelIsInstalled() async throws {
        try #require(BundledModel.isInstalled)
        try await with(SpeechEnvironment(installer: ChosenModel(onThisMachine: .bundled))) { () async throws in
            #expect(await AssetInventory.status(forModules: [transcriber(german)]) == .installed)
            #expect(await Set(SpeechTranscriber.installedLocales) == Set(SpeechTranscriber.supportedLocales))
        }
    }

    @Test func aMissingModelsErrorNamesACommand() async throws {
        let nowhere = ChosenModel(onThisMachine: .named("no-such-model"))
        try await with(SpeechEnvironment(installer: nowhere)) {
            #expect(await SpeechTranscriber.installedLocales.isEmpty)
            await expectError(.noModel, "steno models download base") {
                try await nowhere.install(languages: ["en"]) { _ in }
            }
        }
    }
}
