#if Server
    import Foundation
    import Steno
    import StenoCore
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    @Suite("A model that takes turns with others", .timeLimit(.minutes(15)))
    struct ScheduledModelTests {
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
