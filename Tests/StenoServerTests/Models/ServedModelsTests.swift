#if Server
    import Foundation
    import Steno
    import StenoCore
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    @Suite("The models of this machine") struct ServedModelsTests {
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
            #expect(models.names.first == "tiny" && models.names.sorted() == ["base", "small", "tiny"])
            #expect(models.size("base") == 10 && models.size("none") == 0)
        }

        @Test func namedModelsKeepTheirOrderAndDuplicatesCountOnce() throws {
            let locator = try locator(["small", "tiny", "base"])
            #expect(try ServedModels.located(["small", "base", "small"], locator: locator).names == ["small", "base"])
            #expect(throws: StenoError.self) { try ServedModels.located(["small", "absent"], locator: locator) }
        }

        @Test func clientsSeeTheFoldersNameNotItsPathAndNamesDiffer() throws {
            let locator = try locator(["tiny", "a/ct2", "b/ct2"])
            let paths = ["tiny", "a/ct2", "b/ct2"].map { folder.url.appendingPathComponent("models/\($0)").path }
            #expect(try ServedModels.located([paths[0], "tiny"], locator: locator).names == ["tiny"])
            #expect(try ServedModels.located([paths[1], paths[1]], locator: locator).names == ["ct2"])
            let error = #expect(throws: StenoError.self) { try ServedModels.located(paths, locator: locator) }
            #expect(error?.code == .invalidOption && paths[1...].allSatisfy { error?.message.contains($0) == true })
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

    @Suite("A model that takes turns with others", .timeLimit(.minutes(15))) struct ScheduledModelTests {
        /// Records how many recordings of a feed it may decode at once.
        private final class FedModel: ForwardingModel {
            let lanes = Recorder<Int>()
            let model: any SpeechModel = SecondFamilyModel()

            func transcribe(
                _ feed: any RecordingFeed, lanes: Int, _ request: TranscriptionOptions,
                isCancelled: @escaping () -> Bool, onEvent: @escaping (Int, RecordingEvent) -> Void
            ) throws {
                self.lanes.add(lanes)
                try model.transcribe(feed, lanes: lanes, request, isCancelled: isCancelled, onEvent: onEvent)
            }

            func measureRealTimeFactor(isCancelled: @escaping () -> Bool) throws -> Double { 0.25 }
        }

        /// Gives one recording, the first time it may wait.
        ///
        /// `@unchecked Sendable`: only the thread of the model uses the value.
        private final class Feed: RecordingFeed, @unchecked Sendable {
            private var isGiven = false
            private let onWait: @Sendable () -> Void

            init(onWait: @escaping @Sendable () -> Void = {}) { self.onWait = onWait }

            func next(waits: Bool) -> FedRecording? {
                guard waits, !isGiven else { return nil }
                isGiven = true
                onWait()
                return FedRecording(number: 7, options: TranscriptionOptions()) {
                    ArraySampleSource([Float](repeating: 0.1, count: 16_000))
                }
            }

            func stop() {}
        }

        /// The numbers of the recordings that were transcribed.
        private func numbers(_ feed: Feed, _ model: FedModel, _ turns: ComputeTurns) async throws -> [Int] {
            let ended = Recorder<Int>()
            let transcriber = Transcriber(model: ScheduledModel(model, turns: turns))
            try await transcriber.transcribe(feed, lanes: 3, options: TranscriptionOptions()) { number, event in
                if (try? event.result?.transcript.get()) != nil { ended.add(number) }
            }
            return ended.all
        }

        @Test func theRecordingsOfAFeedReachTheModelTogether() async throws {
            let (model, turns) = (FedModel(), ComputeTurns())
            #expect(try await numbers(Feed(), model, turns) == [7])
            #expect(model.lanes.all == [3])
            #expect(turns.counts == ComputeTurns.Counts())
        }

        @Test func whileAFeedWaitsForARecordingAnotherFileComputes() async throws {
            let (model, turns) = (FedModel(), ComputeTurns())
            let running = Recorder<Int>()
            let feed = Feed {
                turns.file { turn in
                    var looks = 0
                    // If the feed keeps its turn, the test fails instead of hanging.
                    turn.wait {
                        looks += 1
                        return looks > 100
                    }
                    running.add(turns.counts.runningFiles)
                }
            }
            #expect(try await numbers(feed, model, turns) == [7])
            #expect(running.all == [1])
        }

        @Test func theMeasuredSpeedIsTheModelsOwn() throws {
            let model = ScheduledModel(FedModel(), turns: ComputeTurns())
            #expect(try model.measureRealTimeFactor { false } == 0.25)
        }
    }
#endif
