#if Server
    import Foundation
    import NIOCore
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    @Suite("Clients that leave, wait or are too many", .timeLimit(.minutes(15)))
    struct PresenceTests {
        @Test(arguments: [false, true])
        func theTranscriptionOfAClientThatLeavesIsCancelled(streams: Bool) async throws {
            let model = GatedModel()
            try await TestServer.run(models: [("gated", model)]) { server in
                let request = RawRequest.upload(fields: streams ? [("stream", "true")] : [])
                try await SocketClient.connect(server.port) { client in
                    try await client.send(request.bytes(port: server.port))
                    await model.started.wait()
                }
                await model.cancelled.wait()
                // The request is counted last.
                let metrics = server.running.context.metrics
                try await waitWhile(!metrics.text().contains("steno_http_requests_total{"))
                #expect(server.running.context.admission.load.runningFiles == 0)
                #expect(metrics.text().contains("steno_abandoned_total{kind=\"file\"} 1\n"))
            }
        }

        @Test(arguments: ["", "/search?q=a", "/ID", "/ID/summary", "/ID/export", "/ID/audio"])
        func whenTheClientLeavesItsHistoryRequestIsCancelled(_ path: String) async throws {
            let archive = StubArchive()
            try await TestServer.run(archive: archive) { server in
                let request = RawRequest.get("/v1/steno/history" + path.replacing("ID", with: UUID().uuidString))
                try await SocketClient.connect(server.port) { client in
                    try await client.send(request.bytes(port: server.port))
                    await archive.started.wait()
                }
                await archive.cancelled.wait()
            }
        }

        @Test func aClientThatClosesItsSideAfterTheRequestHasLeft() async throws {
            let model = GatedModel()
            try await TestServer.run(models: [("gated", model)]) { server in
                try await SocketClient.connect(server.port, closesHalf: true) { client in
                    try await client.send(RawRequest.upload().bytes(port: server.port))
                    await model.started.wait()
                    client.finish()
                    while try await client.more() {}
                }
                await model.cancelled.wait()
            }
        }

        @Test func filesQueueAndAreRefusedWithARetryAfterOnceTheQueueIsFull() async throws {
            let model = GatedModel()
            try await TestServer.run(
                models: [("gated", model)], configure: { $0.maximumWaitingFiles = 1 }
            ) { server in
                let admission = server.running.context.admission
                let places = admission.limits.runningFiles + 1
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<places { group.addTask { try await server.send(.upload()).status } }
                    try await waitWhile(admission.load.waitingFiles < 1)
                    let refused = try await server.send(.upload())
                    #expect(refused.status == 503)
                    #expect(refused.error["code"] as? String == "server_busy")
                    #expect(refused.headers["retry-after"].flatMap { Int($0) } ?? 0 >= 1)
                    model.open()
                    for try await status in group { #expect(status == 200) }
                }
            }
        }

        @Test func beyondTheLimitTheLongestWaitingConnectionsClose() async throws {
            try await TestServer.run(configure: { $0.maximumConnections = 20 }) { server in
                await withThrowingTaskGroup(of: Void.self) { group in
                    for index in 0..<100 {
                        group.addTask {
                            try await SocketClient.connect(server.port) { client in
                                let start = index.isMultiple(of: 2) ? "" : "GET /health HTTP/1.1\r\nHost: loc"
                                try await client.send(start.utf8)
                                while try await client.more() {}
                            }
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
    }
#endif
