#if Server
    import Foundation
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
#endif
