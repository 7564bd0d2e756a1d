#if Server
    import Foundation
    import Steno
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    @Suite("The models of this machine")
    struct ServedModelsTests {
        private let folder = TemporaryFolder.ofSuite()

        /// Installs placeholder models, and returns a locator that finds them.
        private func locator(_ names: [String], named: String? = nil) throws -> ModelLocator {
            for name in names { try folder.write("0123456789", to: "models/\(name)/model.bin") }
            var environment = ["STENO_MODELS": folder.url.appendingPathComponent("models").path]
            environment["STENO_MODEL"] = named
            return ModelLocator(bundled: nil, environment: environment, home: folder.url)
        }

        @Test func withoutNamesTheDefaultAndEveryInstalledModelAreServedOnce() throws {
            let models = try ServedModels.located([], locator: locator(["small", "tiny", "base"], named: "tiny"))
            #expect(models.names.first == "tiny")
            #expect(models.names.sorted() == ["base", "small", "tiny"])
            #expect(models.size("base") == 10 && models.size("none") == 0)
        }

        @Test func namedModelsKeepTheirOrderAndDuplicatesCountOnce() throws {
            let locator = try locator(["small", "tiny", "base"])
            #expect(try ServedModels.located(["small", "base", "small"], locator: locator).names == ["small", "base"])
            #expect(throws: StenoError.self) { try ServedModels.located(["small", "absent"], locator: locator) }
        }

        @Test func clientsSeeTheFoldersNameNotItsPath() throws {
            let locator = try locator(["tiny"])
            let path = folder.url.appendingPathComponent("models/tiny").path
            #expect(try ServedModels.located([path, "tiny"], locator: locator).names == ["tiny"])
        }

        @Test func twoModelsOfTheSameNameAreRefused() throws {
            let locator = try locator(["a/ct2", "b/ct2"])
            let paths = ["a/ct2", "b/ct2"].map { folder.url.appendingPathComponent("models/\($0)").path }
            let error = #expect(throws: StenoError.self) { try ServedModels.located(paths, locator: locator) }
            #expect(error?.code == .invalidOption && paths.allSatisfy { error?.message.contains($0) == true })
            #expect(try ServedModels.located([paths[0], paths[0]], locator: locator).names == ["ct2"])
        }

        @Test func theLanguagesOfWellKnownModelsAreKnownBeforeTheyAreLoaded() throws {
            let names = [
                "Systran/faster-whisper-tiny.en", "Systran/faster-whisper-tiny", "tiny.en",
                "UsefulSensors/moonshine-tiny",
            ]
            let locator = try locator(names, named: "tiny.en")
            let models = try ServedModels.located([], locator: locator)
            #expect(models.languages("Systran/faster-whisper-tiny.en") == ["en"])
            #expect(models.languages("UsefulSensors/moonshine-tiny") == ["en"])
            #expect(models.languages("Systran/faster-whisper-tiny")?.count == 99)
            #expect(models.languages("tiny.en") == nil, "a folder of the user may have any name")
        }

        @Test func modelsAreLoadedByName() async throws {
            let models = try ServedModels.located([Fixtures.nano.path], threads: 1)
            #expect(models.names == ["nano"])
            let information = try await models.load("nano").information
            #expect(information.family == "Whisper" && information.threads == 1)
            #expect(models.size("nano") > 1_000_000)
            await #expect(throws: ServerError.self) { try await models.load("tiny") }
        }
    }
#endif
