#if Server
    import Foundation
    import NIOCore
    import NIOEmbedded
    import Steno
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    @Suite("Admission", .timeLimit(.minutes(15))) struct AdmissionTests {
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
        /// What happens to a watch of ten minutes; a number is seconds that pass.
        private static let silences: [(rule: String, script: String)] = [
            ("silence ends a session", "599 1"), ("audio restarts the timer", "599 hear 599 hear 599 hear 599 1"),
            // A message whose audio has to wait for the engine.
            ("processing a message is not silence", "540 pause hear 3600 resume 599 1"),
            // For example a change of model: the client must still speak in the remaining time.
            ("a message without audio does not restart the timer", "240 pause 180 resume 359 1"),
            // An old connection whose message is being processed, and its successor.
            ("the timer is paused until all messages are processed", "pause pause resume 3600 resume 599 1"),
        ]

        /// A session ends with the last step, and not before.
        @Test(arguments: silences) func aSessionIsSilentAfterItsTime(rule: String, script: String) async {
            let steps = script.split(separator: " ")
            let isSilent = await isSilent(after: steps.dropLast())
            #expect(!isSilent, "\(rule)")
            let hasEnded = await self.isSilent(after: steps[...])
            #expect(hasEnded, "\(rule)")
        }

        @Test func anEndedSessionIsNotWatched() async { #expect(await !isSilent(after: ["end", "3600"])) }

        private func isSilent(after steps: ArraySlice<Substring>) async -> Bool {
            let loop = NIOAsyncTestingEventLoop(), isSilent = CancellationFlag()
            var watch: AudioWatch? = AudioWatch(600, loop: loop) { isSilent.cancel() }
            for step in steps {
                switch step {
                case "hear": watch?.hear()
                case "pause": watch?.pause()
                case "resume": watch?.resume()
                case "end": watch = nil
                default: await loop.advanceTime(by: .seconds(Int64(step) ?? 0))
                }
            }
            return withExtendedLifetime(watch) { isSilent.isCancelled }
        }
    }

    @Suite("Clients that leave, wait or are too many", .timeLimit(.minutes(15))) struct PresenceTests {
        /// So has one that closes its side after the request.
        @Test(arguments: [(false, false), (true, false), (false, true)])
        func theTranscriptionOfAClientThatLeavesIsCancelled(streams: Bool, closesHalf: Bool) async throws {
            let model = GatedModel()
            let server = try await TestServer.run(models: [("gated", model)])
            let request = RawRequest.upload(fields: streams ? [("stream", "true")] : [])
            let client = try await SocketClient.connect(server.port, closesHalf: closesHalf)
            try await client.send(request.bytes(port: server.port))
            await model.started.wait()
            if closesHalf {
                client.finish()
                while try await client.more() {}
            }
            await client.close()
            await model.cancelled.wait()
            // The request is counted last.
            let metrics = server.running.context.metrics
            try await waitWhile(!metrics.text().contains("steno_http_requests_total{"))
            #expect(server.running.context.admission.load.runningFiles == 0)
            #expect(metrics.text().contains("steno_abandoned_total{kind=\"file\"} 1\n"))
        }

        @Test(arguments: ["", "/search?q=a", "/ID", "/ID/summary", "/ID/export", "/ID/audio"])
        func whenTheClientLeavesItsHistoryRequestIsCancelled(_ path: String) async throws {
            let archive = StubArchive()
            let server = try await TestServer.run(archive: archive)
            let request = RawRequest.get("/v1/steno/history" + path.replacing("ID", with: UUID().uuidString))
            let client = try await SocketClient.connect(server.port)
            try await client.send(request.bytes(port: server.port))
            await archive.started.wait()
            await client.close()
            await archive.cancelled.wait()
            #expect(try await server.send(.get("/health")).status == 200)
        }

        @Test func filesQueueAndAreRefusedWithARetryAfterOnceTheQueueIsFull() async throws {
            let model = GatedModel()
            let server = try await TestServer.run(models: [("gated", model)], configure: { $0.maximumWaitingFiles = 1 })
            let admission = server.running.context.admission
            let places = admission.limits.runningFiles + 1
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<places { group.addTask { try await server.send(.upload()).status } }
                try await waitWhile(admission.load.waitingFiles < 1)
                let refused = try await server.send(.upload())
                #expect(refused.status == 503 && refused.error["code"] as? String == "server_busy")
                #expect(refused.headers["retry-after"].flatMap { Int($0) } ?? 0 >= 1)
                model.open()
                for try await status in group { #expect(status == 200) }
            }
        }

        @Test func beyondTheLimitTheLongestWaitingConnectionsClose() async throws {
            let server = try await TestServer.run { $0.maximumConnections = 20 }
            await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<100 {
                    group.addTask {
                        let client = try await SocketClient.connect(server.port)
                        let start = index.isMultiple(of: 2) ? "" : "GET /health HTTP/1.1\r\nHost: loc"
                        try await client.send(start.utf8)
                        while try await client.more() {}
                    }
                }
                // Any eighty have been closed.
                for _ in 0..<80 { _ = await group.nextResult() }
                let response = try? await server.send(.get("/health"))
                #expect(response?.status == 200)
                #expect(server.running.connections.count <= 21)
                group.cancelAll()
            }
        }
    }
#endif
