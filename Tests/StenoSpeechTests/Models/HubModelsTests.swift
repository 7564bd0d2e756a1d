import Foundation
import StenoBundledModel
import Testing

@testable import Steno
@testable import StenoSpeech

/// Which model is downloaded, and when.
struct HubModelsTests {
    private let names = Locked<[String]>([])

    private func finder(_ choice: ModelChoice, failing error: StenoError? = nil) -> HubModels {
        HubModels(choice) { [names] name, progress in
            names.withLock { $0.append(name) }
            progress(AssetProgress(fraction: 0.5, message: "Half."))
            if let error { throw error }
        }
    }

    @Test func aModelThatIsThereIsNotDownloaded() async throws {
        try #require(BundledModel.isInstalled)
        try await finder(.bundled).install(languages: ["de"]) { _ in }
        #expect(names.value.isEmpty)
    }

    @Test func theChosenModelIsDownloadedWithItsProgress() async throws {
        let fractions = Locked<[Double?]>([])
        try await finder(.named("no-such-model")).install(languages: ["en"]) { report in
            fractions.withLock { $0.append(report.fraction) }
        }
        #expect(names.value == ["no-such-model"] && fractions.value == [0.5])
    }

    @Test func aDownloadThatFailsIsNoModel() async throws {
        let finder = finder(.named("no-such-model"), failing: StenoError(.outputFailed, "The disk is full."))
        let error = await #expect(throws: SFSpeechError.self) { try await finder.install(languages: ["en"]) { _ in } }
        #expect(error?.code == .noModel && error?.message == "The disk is full.")
    }
}
