#if Server
    import Foundation
    import NIOCore
    import NIOEmbedded
    import Steno
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    @Suite("Admission", .timeLimit(.minutes(15)))
    struct AdmissionTests {
        @Test func liveSessionsBeyondTheLimitAreRefusedUntilOneEnds() throws {
            let admission = Admission(limits: .init(liveSessions: 2))
            let first = try admission.admitLive()
            var second: AdmissionTicket? = try admission.admitLive()
            #expect(throws: ServerError.self) { try admission.admitLive() }
            first.release()
            first.release()
            #expect(admission.load.liveSessions == 1)
            _ = try admission.admitLive()
            withExtendedLifetime(second) {}
            second = nil
            #expect(admission.load.liveSessions == 0)
        }

        @Test func theClientsOfOneAddressHaveALimitedShareOfTheLiveSessions() throws {
            let admission = Admission(limits: .init(liveSessions: 4))
            var places = try (0..<3).map { _ in try admission.admitLive(from: "192.0.2.1") }
            #expect(throws: ServerError.self) { try admission.admitLive(from: "192.0.2.1") }
            let other = try admission.admitLive(from: "192.0.2.2")
            other.release()
            places.removeLast().release()
            places.append(try admission.admitLive(from: "192.0.2.1"))
            #expect(admission.load.liveSessions == 3)
            admission.update(.init(liveSessions: 4, sessionsPerAddress: 1))
            #expect(throws: ServerError.self) { try admission.admitLive(from: "192.0.2.1") }
            withExtendedLifetime(places) {}
        }

        @Test func aFileWaitsForAPlaceInTheOrderOfArrival() async throws {
            let admission = Admission(limits: .init(liveSessions: 0, runningFiles: 1, waitingFiles: 2))
            let running = try await admission.admitFile()
            async let second = admission.admitFile()
            try await waitWhile(admission.load.waitingFiles < 1)
            async let third = admission.admitFile()
            try await waitWhile(admission.load.waitingFiles < 2)
            await #expect(throws: ServerError.self) { try await admission.admitFile() }
            #expect(throws: ServerError.self) { try admission.checkFileQueue() }
            running.release()
            let next = try await second
            #expect(admission.load == .init(liveSessions: 0, runningFiles: 1, waitingFiles: 1))
            next.release()
            try await third.release()
            #expect(admission.load == .init())
        }

        @Test func aFileCancelledWhileItWaitsLeavesTheQueue() async throws {
            let admission = Admission(limits: .init(liveSessions: 0, runningFiles: 1))
            let running = try await admission.admitFile()
            let waiting = Task { try await admission.admitFile() }
            try await waitWhile(admission.load.waitingFiles < 1)
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
            #expect(admission.load.waitingFiles == 0)
            running.release()
            #expect(admission.load == .init())
        }

        @Test func duringShutdownNothingNewIsAdmittedAndWaitingFilesContinue() async throws {
            let admission = Admission(limits: .init(liveSessions: 1, runningFiles: 1))
            let running = try await admission.admitFile()
            async let waiting = admission.admitFile()
            try await waitWhile(admission.load.waitingFiles < 1)
            admission.close()
            #expect(throws: ServerError.shuttingDown) { try admission.admitLive() }
            await #expect(throws: ServerError.shuttingDown) { try await admission.admitFile() }
            running.release()
            _ = try await waiting
        }

        @Test(arguments: [(0.02, 1, 9), (0.02, 4, 37), (1.0, 1, 1), (nil, 1, 4)] as [(Double?, Int, Int)])
        func theNumberOfLiveSessionsFollowsTheMeasuredSpeed(_ factor: Double?, _ width: Int, _ sessions: Int) {
            #expect(LiveCapacity.sessions(realTimeFactor: factor, width: width) == sessions)
        }
    }

    /// How long a live session may go without audio.
    @Suite(.timeLimit(.minutes(15))) struct AudioWatchTests {
        /// What happens to a watch of ten minutes.
        enum Step {
            case seconds(Int64)
            case hear
            case pause
            case resume
            case end
        }

        private static let silences: [(rule: String, steps: [Step])] = [
            ("silence ends a session", [.seconds(599), .seconds(1)]),
            (
                "audio restarts the timer",
                [.seconds(599), .hear, .seconds(599), .hear, .seconds(599), .hear, .seconds(599), .seconds(1)]
            ),
            // A message whose audio has to wait for the engine.
            (
                "processing a message is not silence",
                [.seconds(540), .pause, .hear, .seconds(3600), .resume, .seconds(599), .seconds(1)]
            ),
            // For example a change of model: the client must still speak in the remaining time.
            (
                "a message without audio does not restart the timer",
                [.seconds(240), .pause, .seconds(180), .resume, .seconds(359), .seconds(1)]
            ),
            // An old connection whose message is being processed, and its successor.
            (
                "the timer is paused until all messages are processed",
                [.pause, .pause, .resume, .seconds(3600), .resume, .seconds(599), .seconds(1)]
            ),
        ]

        /// A session ends with the last step, and not before.
        @Test(arguments: silences) func aSessionIsSilentAfterItsTime(rule: String, steps: [Step]) async {
            let isSilent = await isSilent(after: steps.dropLast())
            #expect(!isSilent, "\(rule)")
            let hasEnded = await self.isSilent(after: steps[...])
            #expect(hasEnded, "\(rule)")
        }

        @Test func anEndedSessionIsNotWatched() async { #expect(await !isSilent(after: [.end, .seconds(3600)])) }

        private func isSilent(after steps: ArraySlice<Step>) async -> Bool {
            let loop = NIOAsyncTestingEventLoop(), isSilent = CancellationFlag()
            var watch: AudioWatch? = AudioWatch(600, loop: loop) { isSilent.cancel() }
            for step in steps {
                switch step {
                case .seconds(let seconds): await loop.advanceTime(by: .seconds(seconds))
                case .hear: watch?.hear()
                case .pause: watch?.pause()
                case .resume: watch?.resume()
                case .end: watch = nil
                }
            }
            return withExtendedLifetime(watch) { isSilent.isCancelled }
        }
    }
#endif
