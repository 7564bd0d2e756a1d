import Foundation
import StenoTestSupport
import Testing

@testable import Steno

struct ModelEngineProviderTests {
    @Test func aMissingModelIsAReason() async {
        let nowhere = ModelLocator(bundled: nil, environment: [:], home: URL(fileURLWithPath: "/nonexistent"))
        let provider = ModelEngineProvider(model: "nothing-like-it", locator: nowhere)
        let reason = await reason(provider, EngineRequest())
        #expect(reason?.contains("nothing-like-it") == true)
    }

    /// Its files are here, so nothing has to be downloaded.
    @Test func aModelNotYetLoadedIsReady() async {
        let provider = ModelEngineProvider(model: Fixtures.nano.path)
        #expect(await provider.capability(for: EngineRequest(language: "en-GB")) == .ready)
    }

    @Test func aLoadedModelAnswersForTheRequest() async throws {
        let provider = ModelEngineProvider(model: SecondFamilyModel())
        #expect(await provider.capability(for: EngineRequest(language: "xx-YY")) == .ready)
        for request in [EngineRequest(language: "de"), EngineRequest(task: .translate)] {
            #expect(await reason(provider, request) != nil)
            await #expect(throws: StenoError.self) { try await provider.makeEngine(for: request) }
        }
    }

    @Test func theProvidersOptionsAreChecked() async throws {
        let options = LiveOptions().with { $0.step = 0 }
        let provider = ModelEngineProvider(model: SecondFamilyModel(), options: options)
        #expect(await reason(provider, EngineRequest()) != nil)
    }

    @Test func loadingReportsItsStartAndItsEnd() async throws {
        let (reports, report) = AsyncStream.makeStream(of: AssetProgress.self)
        let provider = ModelEngineProvider(model: Fixtures.nano.path, threads: 1)
        let request = EngineRequest(language: "en-US")
        try await provider.prepareAssets(for: request) { report.yield($0) }
        // There is nothing left to do.
        try await provider.prepareAssets(for: request) { _ in Issue.record("the model is loaded again") }
        report.finish()
        let fractions = await reports.reduce(into: [Double?]()) { $0.append($1.fraction) }
        #expect(fractions == [nil, 1])
        #expect(try await provider.makeEngine(for: request) is ModelEngine)
        #expect(await reason(provider, EngineRequest(language: "xx")) != nil)
    }

    /// Why a request is impossible.
    private func reason(_ provider: ModelEngineProvider, _ request: EngineRequest) async -> String? {
        guard case .unavailable(let reason) = await provider.capability(for: request) else { return nil }
        return reason
    }
}
