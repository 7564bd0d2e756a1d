#if Server
    import Foundation
    import NIOCore
    import ServiceLifecycle
    import Steno
    import StenoCore
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    /// The protocol over a real socket, with a scripted model.
    @Suite(.timeLimit(.minutes(15))) struct WyomingServerTests {
        private final class Client {
            private let socket: SocketClient
            private var parser = WyomingParser()

            init(_ socket: SocketClient) { self.socket = socket }

            func send(_ events: WyomingEvent...) async throws { try await socket.send(events.flatMap(\.bytes)) }

            func events(to type: String) async throws -> [WyomingEvent] {
                var events: [WyomingEvent] = []
                while true {
                    while let event = try parser.next(&socket.unread) {
                        events.append(event)
                        if event.type == type { return events }
                    }
                    guard try await socket.more() else { return events }
                }
            }

            func transcript() async throws -> String? {
                try await events(to: "transcript-stop").first { $0.type == "transcript" }?.data["text"]?.string
            }

            func ping() async throws {
                try await send(WyomingEvent("ping"))
                #expect(try await events(to: "pong").last?.type == "pong")
            }

            /// Whether the server has closed the connection, after any remaining output.
            func hasEnded() async throws -> Bool { try await !socket.more() }

            func send(bytes: some Sequence<UInt8>) async throws { try await socket.send(bytes) }

            func close() async { await socket.close() }
        }

        /// A server, and a function that shuts it down.
        private func serve(_ context: ServerContext) async throws -> (ServerTask, @Sendable () async -> Void) {
            let ports = AsyncStream.makeStream(of: Int.self)
            let server = WyomingServer(context, host: "127.0.0.1", port: 0) { ports.continuation.yield($0) }
            let group = ServiceGroup(services: [server], logger: context.logger)
            return (try await ServerTask(ports) { try await group.run() }, { await group.triggerGracefulShutdown() })
        }

        private func connect(_ server: ServerTask) async throws -> Client {
            Client(try await SocketClient.connect(server.port))
        }

        private let stop = WyomingEvent("audio-stop")

        private func chunk(_ samples: [Float], rate: Int = 16_000) -> WyomingEvent {
            WyomingEvent(
                "audio-chunk", ["rate": .number(Double(rate)), "width": 2, "channels": 1],
                payload: Array(bytes16(samples)))
        }

        @Test func theServiceDescribesItself() async throws {
            let server = try await serve(serverContext()).0
            let client = try await connect(server)
            try await client.send(WyomingEvent("ping", ["text": "here"]), WyomingEvent("describe"))
            let events = try await client.events(to: "info")
            #expect(events[0] == WyomingEvent("pong", ["text": "here"]))
            let program = try #require(events[1].data["asr"]?.array?.first)
            #expect(program["supports_transcript_streaming"] == true && program["installed"] == true)
            #expect(program["models"]?.array?.first?["name"] == "scripted")
            #expect(program["models"]?.array?.first?["languages"] == ["en", "xx"])
        }

        @Test(arguments: Hearing.allCases) func recordingsAreTranscribedInOrder(hearing: Hearing) async throws {
            let context = serverContext(hearing: hearing)
            let server = try await serve(context).0
            let client = try await connect(server)
            let speech = try TestAudio.speech()
            for _ in 0..<2 {
                try await client.send(
                    WyomingEvent("transcribe", ["language": "en-US"]),
                    WyomingEvent("audio-start", ["rate": 16000, "width": 2, "channels": 1]))
                for start in stride(from: 0, to: speech.count, by: 1023) {
                    try await client.send(chunk(Array(speech[start..<min(start + 1023, speech.count)])))
                }
                try await client.send(stop)
                let events = try await client.events(to: "transcript-stop")
                #expect(events.first?.type == "transcript-start")
                let chunks = events.filter { $0.type == "transcript-chunk" }.compactMap { $0.data["text"]?.string }
                let whole = events.first { $0.type == "transcript" }?.data["text"]?.string
                #expect(whole == chunks.joined() && whole?.isEmpty == false)
            }
            try await client.send(chunk([Float](repeating: 0, count: 16_000)), stop)
            let silence = try await client.events(to: "transcript-stop")
            #expect(silence.map(\.type) == ["transcript-start", "transcript", "transcript-stop"])
            #expect(silence[1].data["text"] == "")
            #expect(context.admission.load.liveSessions == 0)
        }

        @Test func errorsAreSentAndEndTheConnection() async throws {
            let server = try await serve(serverContext(sessions: 0)).0
            for (event, code) in [
                (WyomingEvent("audio-start"), "server_busy"),
                (WyomingEvent("transcribe", ["name": "x"]), "model_not_found"),
            ] {
                let client = try await connect(server)
                try await client.send(event)
                #expect(try await client.events(to: "error").last?.data["code"] == .string(code))
                #expect(try await client.hasEnded())
            }
            let client = try await connect(server)
            try await client.send(bytes: "no message\n".utf8)
            #expect(try await client.hasEnded())
        }

        @Test func theLongestWaitingConnectionMakesRoom() async throws {
            let server = try await serve(serverContext(configure: { $0.maximumConnections = 2 })).0
            let first = try await connect(server)
            try await first.ping()
            let second = try await connect(server)
            try await second.ping()
            let third = try await connect(server)
            try await third.ping()
            #expect(try await first.hasEnded())
            try await second.ping()
        }

        /// Its model is loading, so there is no recording yet.
        @Test(arguments: Hearing.allCases) func aStartingRecordingKeepsItsConnection(hearing: Hearing) async throws {
            let model = StartingModel(hearing: hearing)
            let context = serverContext(configure: { $0.maximumConnections = 2 }, model: model)
            let server = try await serve(context).0
            let first = try await connect(server)
            try await first.send(chunk(try TestAudio.speech()), stop)
            await model.starting.wait()
            let second = try await connect(server)
            try await second.ping()
            let third = try await connect(server)
            try await third.ping()
            #expect(try await second.hasEnded())
            model.open()
            #expect(try await first.transcript()?.isEmpty == false)
        }

        @Test func aRunningRecordingIsFinishedAtShutdown() async throws {
            let speech = try TestAudio.speech()
            // The rest of it may take long on a busy machine.
            let context = serverContext {
                $0.timeouts.idle = .infinity
                $0.timeouts.shutdown = .infinity
            }
            let (server, shutDown) = try await serve(context)
            let first = try await connect(server)
            try await first.send(chunk(speech), stop)
            let whole = try await first.transcript()
            let idle = try await connect(server)
            try await idle.ping()
            let client = try await connect(server)
            try await client.send(chunk(Array(speech[..<16_000])))
            try await client.ping()
            await shutDown()
            #expect(try await idle.hasEnded())
            try await client.send(chunk(Array(speech[16_000...])), stop)
            #expect(try await client.transcript() == whole && whole?.isEmpty == false)
            #expect(try await client.hasEnded())
        }

        @Test(arguments: Hearing.allCases)
        func anUnfinishedRecordingIsTranscribedAtShutdown(hearing: Hearing) async throws {
            let context = serverContext(configure: { $0.timeouts.idle = 0.001 }, hearing: hearing)
            let (server, shutDown) = try await serve(context)
            let client = try await connect(server)
            try await client.send(chunk(try TestAudio.speech()))
            try await client.ping()
            await shutDown()
            #expect(try await client.transcript()?.isEmpty == false)
            #expect(try await client.hasEnded())
        }

        @Test func aClientThatLeavesFreesItsPlace() async throws {
            let context = serverContext(sessions: 1)
            let server = try await serve(context).0
            let client = try await connect(server)
            try await client.send(chunk(try TestAudio.speech()))
            try await client.ping()
            #expect(context.admission.load.liveSessions == 1)
            await client.close()
            try await waitWhile(context.admission.load.liveSessions > 0)
        }
    }
#endif
