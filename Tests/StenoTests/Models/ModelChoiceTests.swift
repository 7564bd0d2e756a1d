import Foundation
import StenoBundledModel
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
    }

    @Test func whereThereIsNoBundledModelTheErrorNamesTheProductToAdd() {
        let error = #expect(throws: StenoError.self) { try ModelChoice.bundled.locate(nowhere) }
        #expect(error?.code == .modelNotFound && error?.message.contains("StenoBundledModel") == true)
    }

    @Test func anUnknownNameIsNotFoundAndAFolderIsTakenAsItIs() throws {
        let error = #expect(throws: StenoError.self) { try ModelChoice.named("nothing").locate(nowhere) }
        #expect(error?.code == .modelNotFound)
        #expect(try ModelChoice.folder(Fixtures.nano).locate(nowhere).folder == Fixtures.nano)
        #expect(try ModelChoice.named(Fixtures.nano.path).locate(nowhere).folder.path == Fixtures.nano.path)
    }

    @Test func loadingSaysWhatIsMissing() async throws {
        let error = await #expect(throws: StenoError.self) {
            try await Transcriber.load(.folder(URL(fileURLWithPath: "/nonexistent")))
        }
        #expect(error?.code == .modelNotFound)
        let none = await #expect(throws: StenoError.self) {
            try await Transcriber.load(.folder(Fixtures.nano), maximumConcurrentCalls: 0)
        }
        #expect(none?.code == .invalidOption)
    }
}
