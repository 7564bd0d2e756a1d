#if Server
    import Foundation
    import NIOCore
    import StenoCore
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    /// Sessions over a real socket whose engine cannot start, or is asked to end while it does.
    @Suite(.timeLimit(.minutes(15))) struct RealtimeFailureTests {
        private let prefix = "conversation.item.input_audio_transcription."

        private let update: JSONValue = [
            "type": "session.update",
            "session": [
                "type": "transcription",
                "audio": ["input": ["format": ["type": "audio/pcm", "rate": 16000], "turn_detection": nil]],
            ],
        ]

        private func append(_ samples: [Float]) -> JSONValue {
            ["type": "input_audio_buffer.append", "audio": .string(bytes16(samples).base64EncodedString())]
        }

        @Test func aCommitWithoutAnEngineFailsItsItem() async throws {
            let endpoint = RealtimeEndpoint(serverContext(model: StartingModel(hasMemory: false)))
            try await withSocketServer(route: { await endpoint.decide($0) }) { port in
                try await SocketClient.connect(port) { client in
                    _ = try await client.upgrade("/v1/realtime")
                    try await client.say(update)
                    try await client.say(append([Float](repeating: 0, count: 16_000)))
                    let failure = try await client.events(to: "error").last
                    #expect(failure?["error"]?["code"] == "server_busy")
                    try await client.say(["type": "input_audio_buffer.commit"])
                    // In any case there is an error to read to.
                    try await client.say(["type": "nothing"])
                    let types = try await client.events(to: "error").compactMap { $0["type"]?.string }
                    #expect(types.contains(prefix + "failed") && !types.contains(prefix + "completed"))
                }
            }
        }

        @Test(arguments: SecondFamilyModel.Hearing.allCases)
        func aShutdownComesAfterTheAudioThatIsBeingTaken(hearing: SecondFamilyModel.Hearing) async throws {
            let model = StartingModel(hearing: hearing)
            let context = serverContext(model: model)
            let (stream, sessions) = AsyncStream.makeStream(of: RealtimeSession.self)
            let route: WebSocketHTTPChannel.Route = { _ in
                .accept(subprotocol: nil) { connection in
                    let session = RealtimeSession(connection, context, RealtimeProtocol(id: "s"))
                    sessions.yield(session)
                    await session.run()
                }
            }
            try await withSocketServer(route: route) { port in
                try await SocketClient.connect(port) { client in
                    _ = try await client.upgrade("/")
                    try await client.say(update)
                    try await client.say(append(try TestAudio.speech()))
                    var iterator = stream.makeAsyncIterator()
                    let session = try #require(await iterator.next())
                    await model.starting.wait()
                    await session.shutDown()
                    model.open()
                    let events = try await client.events(to: "close")
                    let completed = events.filter { $0["type"] == .string(prefix + "completed") }
                    #expect(completed.count == 1 && completed.first?["transcript"]?.string?.isEmpty == false)
                    #expect(events.last?["code"] == 1001)
                }
            }
        }
    }
#endif
