import Foundation
import StenoTestSupport
import Testing

@testable import Steno

struct TranscriptionEngineFactoryTests {
    private struct Provider: TranscriptionEngineProvider {
        var name: String
        var answer: EngineCapability
        var fails = false
        var onPreparing: @Sendable () throws -> Void = {}

        func capability(for request: EngineRequest) -> EngineCapability { answer }

        func prepareAssets(for request: EngineRequest, progress: @escaping AssetProgress.Handler) throws {
            try onPreparing()
            progress(AssetProgress(fraction: 0.5, message: "\(name) downloads."))
            if fails { throw StenoError(.modelNotFound, "The download failed.") }
        }

        func makeEngine(for request: EngineRequest) -> any TranscriptionEngine { ScriptedEngine([]) }
    }

    private let request = EngineRequest(language: "en")
    private let needy = EngineCapability.needsAssets("The English model has to be downloaded.")

    private func choose(_ providers: Provider...) async throws -> TranscriptionEngineFactory.Choice {
        try await TranscriptionEngineFactory(providers).makeEngine(for: request)
    }

    @Test func theFirstReadyEngineIsTakenAndTheFallbackExplained() async throws {
        let first = try await choose(Provider(name: "A", answer: .ready))
        #expect(first.provider == "A" && first.fallbackReason == nil)
        let choice = try await choose(
            Provider(name: "A", answer: .unavailable(reason: "It needs macOS 26.")), Provider(name: "B", answer: needy),
            Provider(name: "C", answer: .ready, fails: true), Provider(name: "D", answer: .ready),
            Provider(name: "E", answer: .ready))
        #expect(choice.provider == "D")
        #expect(
            choice.fallbackReason
                == "A: It needs macOS 26. B: The English model has to be downloaded. C: The download failed.")
    }

    @Test func withoutAReadyEngineTheFirstThatNeedsAssetsIsTaken() async throws {
        let choice = try await choose(
            Provider(name: "A", answer: needy, fails: true), Provider(name: "B", answer: needy),
            Provider(name: "C", answer: .ready, fails: true), Provider(name: "D", answer: needy))
        #expect(choice.provider == "B")
        // D would have been tried later: there is nothing to explain.
        #expect(choice.fallbackReason == "A: The download failed. C: The download failed.")
    }

    @Test func ifAllFailEveryReasonIsGivenAndNoneIsTriedTwice() async {
        let attempts = Counter()
        let error = await #expect(throws: StenoError.self) {
            try await choose(
                Provider(name: "A", answer: .unavailable(reason: "No model.")),
                Provider(name: "B", answer: needy, fails: true) { attempts.add() },
                Provider(name: "C", answer: .ready, fails: true) { attempts.add() })
        }
        #expect(error?.code == .engineUnavailable)
        #expect(error?.message.hasSuffix("A: No model. B: The download failed. C: The download failed.") == true)
        #expect(attempts.count == 2)
        await expectAsyncError(.engineUnavailable) { try await choose() }
    }

    @Test func progressIsPassedOn() async throws {
        let (reports, report) = AsyncStream.makeStream(of: AssetProgress.self)
        _ = try await TranscriptionEngineFactory([Provider(name: "A", answer: needy)]).makeEngine(for: request) {
            report.yield($0)
        }
        report.finish()
        let seen = await reports.reduce(into: []) { $0.append($1) }
        #expect(seen == [AssetProgress(fraction: 0.5, message: "A downloads.")])
    }

    @Test func aFractionIsFromZeroToOneOrUnknown() {
        let fractions = [-1, 0.25, 7, .infinity, .nan, nil].map { AssetProgress(fraction: $0, message: "").fraction }
        #expect(fractions == [0, 0.25, 1, 1, nil, nil])
    }

    /// A provider that fails because the task was cancelled is no reason to try the next one.
    @Test func cancellingEndsTheChoice() async {
        let attempts = Counter()
        let factory = TranscriptionEngineFactory([
            Provider(name: "A", answer: .ready) {
                withUnsafeCurrentTask { $0?.cancel() }
                throw StenoError(.cancelled, "The download was cancelled.")
            },
            Provider(name: "B", answer: .ready) { attempts.add() },
        ])
        let choosing = Task { [request] in _ = try await factory.makeEngine(for: request) }
        await #expect(throws: CancellationError.self) { try await choosing.value }
        #expect(attempts.count == 0)
    }
}

struct ModelEngineProviderTests {
    @Test func aMissingModelIsAReason() async {
        let nowhere = ModelLocator(bundled: nil, environment: [:], home: URL(fileURLWithPath: "/nonexistent"))
        let provider = ModelEngineProvider(model: "nothing-like-it", locator: nowhere)
        #expect(await reason(provider, EngineRequest())?.contains("nothing-like-it") == true)
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
        let options = LiveOptions().with { $0.step = 0 }
        let impossible = ModelEngineProvider(model: SecondFamilyModel(), options: options)
        #expect(await reason(impossible, EngineRequest()) != nil, "the provider's options are checked")
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

    private func reason(_ provider: ModelEngineProvider, _ request: EngineRequest) async -> String? {
        guard case .unavailable(let reason) = await provider.capability(for: request) else { return nil }
        return reason
    }
}
