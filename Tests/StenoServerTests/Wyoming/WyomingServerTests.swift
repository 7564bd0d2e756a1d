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
        private func serve(_ context: ServerContext, _ body: (Int) async throws -> Void) async throws {
            try await serve(context) { port, _ in try await body(port) }
        }

        /// - Parameter body: Gets the port, and what asks the server to shut down.
        private func serve(
            _ context: ServerContext, _ body: (Int, @escaping @Sendable () async -> Void) async throws -> Void
        ) async throws {
            let (ports, found) = AsyncStream.makeStream(of: Int.self)
            let server = WyomingServer(context, host: "127.0.0.1", port: 0) { found.yield($0) }
            let group = ServiceGroup(services: [server], logger: context.logger)
            let running = Task { try await group.run() }
            defer { running.cancel() }
            for await port in ports {
                try await body(port) { await group.triggerGracefulShutdown() }
                break
            }
        }

        /// - Parameter body: Gets a client, and what asks the server to shut down.
        private func talk(
            _ context: ServerContext,
            _ body: (SocketClient.Conversation, @escaping @Sendable () async -> Void) async throws -> Void
        ) async throws {
            try await serve(context) { port, stop in
                try await SocketClient.connect(port) { try await body($0, stop) }
            }
        }

        /// The text of a recording, as the server sends it at the end.
        private func transcript(_ events: [WyomingEvent]) -> String? {
            events.first { $0.type == "transcript" }?.data["text"]?.string
        }

        /// The messages to one of a type, with it.
        private func events(
            to type: String, _ client: SocketClient.Conversation, _ parser: inout WyomingParser
        ) async throws -> [WyomingEvent] {
            var events: [WyomingEvent] = []
            while true {
                while let event = try parser.next(&client.unread) {
                    events.append(event)
                    if event.type == type { return events }
                }
                guard try await client.more() else { return events }
            }
        }

        /// Waits until the server answers.
        private func ping(_ client: SocketClient.Conversation) async throws {
            var parser = WyomingParser()
            try await client.send(WyomingEvent("ping").bytes)
            let answers = try await events(to: "pong", client, &parser)
            #expect(answers.last?.type == "pong")
        }

        private func chunk(_ samples: [Float], rate: Int = 16_000) -> WyomingEvent {
            WyomingEvent(
                "audio-chunk", ["rate": .number(Double(rate)), "width": 2, "channels": 1],
                payload: Array(bytes16(samples)))
        }

        @Test func theServiceDescribesItself() async throws {
            try await talk(serverContext()) { client, _ in
                var parser = WyomingParser()
                try await client.send(WyomingEvent("ping", ["text": "here"]).bytes + WyomingEvent("describe").bytes)
                let events = try await events(to: "info", client, &parser)
                #expect(events[0] == WyomingEvent("pong", ["text": "here"]))
                let program = try #require(events[1].data["asr"]?.array?.first)
                #expect(program["supports_transcript_streaming"] == true && program["installed"] == true)
                #expect(program["models"]?.array?.first?["name"] == "scripted")
                #expect(program["models"]?.array?.first?["languages"] == ["en", "xx"])
            }
        }

        @Test(arguments: SecondFamilyModel.Hearing.allCases)
        func recordingsAreTranscribedOneAfterTheOther(hearing: SecondFamilyModel.Hearing) async throws {
            let context = serverContext(hearing: hearing)
            try await talk(context) { client, _ in
                var parser = WyomingParser()
                let speech = try TestAudio.speech()
                for _ in 0..<2 {
                    try await client.send(
                        WyomingEvent("transcribe", ["language": "en-US"]).bytes
                            + WyomingEvent("audio-start", ["rate": 16000, "width": 2, "channels": 1]).bytes)
                    for start in stride(from: 0, to: speech.count, by: 1023) {
                        try await client.send(chunk(Array(speech[start..<min(start + 1023, speech.count)])).bytes)
                    }
                    try await client.send(WyomingEvent("audio-stop").bytes)
                    let events = try await events(to: "transcript-stop", client, &parser)
                    #expect(events.first?.type == "transcript-start")
                    let chunks = events.filter { $0.type == "transcript-chunk" }.compactMap {
                        $0.data["text"]?.string
                    }
                    let whole = events.first { $0.type == "transcript" }?.data["text"]?.string
                    #expect(whole == chunks.joined() && whole?.isEmpty == false)
                }
                #expect(context.admission.load.liveSessions == 0)
            }
        }

        @Test(arguments: SecondFamilyModel.Hearing.allCases)
        func silenceHasAnEmptyTranscript(hearing: SecondFamilyModel.Hearing) async throws {
            try await talk(serverContext(hearing: hearing)) { client, _ in
                var parser = WyomingParser()
                try await client.send(
                    chunk([Float](repeating: 0, count: 16_000)).bytes + WyomingEvent("audio-stop").bytes)
                let events = try await events(to: "transcript-stop", client, &parser)
                #expect(events.map(\.type) == ["transcript-start", "transcript", "transcript-stop"])
                #expect(events[1].data["text"] == "")
            }
        }

        @Test func errorsAreSentAndEndTheConnection() async throws {
            try await serve(serverContext(sessions: 0)) { port in
                for (event, code) in [
                    (WyomingEvent("audio-start"), "server_busy"),
                    (WyomingEvent("transcribe", ["name": "x"]), "model_not_found"),
                ] {
                    try await SocketClient.connect(port) { client in
                        var parser = WyomingParser()
                        try await client.send(event.bytes)
                        #expect(try await events(to: "error", client, &parser).last?.data["code"] == .string(code))
                        #expect(try await client.more() == false)
                    }
                }
                try await SocketClient.connect(port) { client in
                    try await client.send("no message\n".utf8)
                    #expect(try await client.more() == false)
                }
            }
        }

        @Test func theConnectionThatWaitsLongestMakesRoomForAnother() async throws {
            var configuration = SpeechServer.Configuration()
            configuration.maximumConnections = 2
            try await serve(serverContext(configuration)) { port in
                try await SocketClient.connect(port) { first in
                    try await ping(first)
                    try await SocketClient.connect(port) { second in
                        try await ping(second)
                        try await SocketClient.connect(port) { third in
                            try await ping(third)
                            #expect(try await first.more() == false)
                            try await ping(second)
                        }
                    }
                }
            }
        }

        /// Its model is being loaded: until then there is no recording yet.
        @Test(arguments: SecondFamilyModel.Hearing.allCases)
        func aClientWhoseRecordingBeginsMakesNoRoomForAnother(hearing: SecondFamilyModel.Hearing) async throws {
            var configuration = SpeechServer.Configuration()
            configuration.maximumConnections = 2
            let model = StartingModel(hearing: hearing)
            try await serve(serverContext(configuration, model: model)) { port in
                try await SocketClient.connect(port) { first in
                    var parser = WyomingParser()
                    try await first.send(chunk(try TestAudio.speech()).bytes + WyomingEvent("audio-stop").bytes)
                    await model.starting.wait()
                    try await SocketClient.connect(port) { second in
                        try await ping(second)
                        try await SocketClient.connect(port) { third in
                            try await ping(third)
                            #expect(try await second.more() == false)
                        }
                    }
                    model.open()
                    let events = try await events(to: "transcript-stop", first, &parser)
                    #expect(transcript(events)?.isEmpty == false)
                }
            }
        }

        @Test func aRecordingThatRunsAtTheShutdownIsTranscribedToItsEnd() async throws {
            let speech = try TestAudio.speech()
            var whole: String?
            // The rest of it may take long on a busy machine.
            var configuration = SpeechServer.Configuration()
            (configuration.timeouts.idle, configuration.timeouts.shutdown) = (.infinity, .infinity)
            try await serve(serverContext(configuration)) { port, stop in
                try await SocketClient.connect(port) { client in
                    var parser = WyomingParser()
                    try await client.send(chunk(speech).bytes + WyomingEvent("audio-stop").bytes)
                    whole = transcript(try await events(to: "transcript-stop", client, &parser))
                }
                try await SocketClient.connect(port) { idle in
                    try await ping(idle)
                    try await SocketClient.connect(port) { client in
                        var parser = WyomingParser()
                        try await client.send(chunk(Array(speech[..<16_000])).bytes)
                        try await ping(client)
                        await stop()
                        #expect(try await idle.more() == false)
                        try await client.send(chunk(Array(speech[16_000...])).bytes + WyomingEvent("audio-stop").bytes)
                        let events = try await events(to: "transcript-stop", client, &parser)
                        #expect(transcript(events) == whole && whole?.isEmpty == false)
                        #expect(try await client.more() == false)
                    }
                }
            }
        }

        @Test(arguments: SecondFamilyModel.Hearing.allCases)
        func aRecordingWithoutAnEndIsTranscribedAsFarAsItWentAtTheShutdown(
            hearing: SecondFamilyModel.Hearing
        ) async throws {
            var configuration = SpeechServer.Configuration()
            configuration.timeouts.idle = 0.001
            try await talk(serverContext(configuration, hearing: hearing)) { client, stop in
                var parser = WyomingParser()
                try await client.send(chunk(try TestAudio.speech()).bytes)
                try await ping(client)
                await stop()
                let events = try await events(to: "transcript-stop", client, &parser)
                #expect(transcript(events)?.isEmpty == false)
                #expect(try await client.more() == false)
            }
        }

        @Test func aClientThatLeavesFreesItsPlace() async throws {
            let context = serverContext(sessions: 1)
            try await serve(context) { port in
                try await SocketClient.connect(port) { client in
                    var parser = WyomingParser()
                    try await client.send(chunk(try TestAudio.speech()).bytes + WyomingEvent("ping").bytes)
                    _ = try await events(to: "pong", client, &parser)
                    #expect(context.admission.load.liveSessions == 1)
                }
                try await waitWhile(context.admission.load.liveSessions > 0)
            }
        }
    }
#endif
