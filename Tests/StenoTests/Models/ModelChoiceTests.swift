import Foundation
import StenoBundledModel
import StenoBundledMoonshine
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore

/// Which folder a choice of model means.
@Suite struct ModelChoiceTests {
    private let nowhere = ModelLocator(bundled: nil, environment: [:], home: URL(fileURLWithPath: "/nonexistent"))

    /// The library does not depend on StenoBundledModel: it finds its folder beside the program.
    @Test func theBundledModelIsFoundWithoutDependingOnIt() throws {
        #expect(try ModelChoice.bundled.locate().folder.path == BundledModel.folder.path)
        #expect(try ModelChoice.named("base").locate().name == "base")
        #expect(BundledModel.isInstalled)
        #expect(try ModelChoice.named("moonshine-tiny").locate().folder.path == BundledMoonshine.folder.path)
        #expect(BundledMoonshine.isInstalled)
        #expect(ModelChoice.installed.suffix(2) == ["base", "moonshine-tiny"])
    }

    @Test func withoutABundledModelTheErrorNamesTheProductToAdd() {
        expectError(.modelNotFound, says: "StenoBundledModel") { try ModelChoice.bundled.locate(nowhere) }
    }

    @Test func anUnknownNameIsNotFoundAndAFolderIsTakenAsItIs() throws {
        expectError(.modelNotFound) { try ModelChoice.named("nothing").locate(nowhere) }
        #expect(try ModelChoice.folder(Fixtures.nano).locate(nowhere).folder == Fixtures.nano)
        #expect(try ModelChoice.named(Fixtures.nano.path).locate(nowhere).folder.path == Fixtures.nano.path)
    }

    @Test func loadingSaysWhatIsMissing() async throws {
        await expectAsyncError(.modelNotFound) {
            try await Transcriber.load(.folder(URL(fileURLWithPath: "/nonexistent")))
        }
        await expectAsyncError(.invalidOption) {
            try await Transcriber.load(.folder(Fixtures.nano), maximumConcurrentCalls: 0)
        }
    }
}
