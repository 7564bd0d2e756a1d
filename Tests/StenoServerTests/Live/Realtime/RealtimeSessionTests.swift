#if Server
    import Foundation
    import HTTPTypes
    import NIOCore
    import NIOEmbedded
    import Steno
    import StenoBundledModel
    import StenoCore
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    /// Sessions over a real socket, with a scripted model that hears a word in every second, and one with Whisper base.
    @Suite(.timeLimit(.minutes(15))) struct RealtimeSessionTests {
        private let prefix = "conversation.item.input_audio_transcription."

        private func append(_ samples: [Float]) -> JSONValue {
            ["type": "input_audio_buffer.append", "audio": .string(bytes16(samples).base64EncodedString())]
        }

        private func update(_ input: JSONValue) -> JSONValue {
            ["type": "session.update", "session": ["type": "transcription", "audio": ["input": input]]]
        }

        private let manual: JSONValue = ["format": ["type": "audio/pcm", "rate": 16000], "turn_detection": nil]

        private func types(_ events: [JSONValue]) -> [String] { events.compactMap { $0["type"]?.string } }

        private func serve(_ context: ServerContext) async throws -> (ServerTask, RealtimeEndpoint) {
            let endpoint = RealtimeEndpoint(context)
            return (try await socketServer { await endpoint.decide($0) }, endpoint)
        }

        private func talk(_ context: ServerContext, _ query: String = "") async throws -> SocketClient {
            try await SocketClient.talk(serve(context).0, "/v1/realtime" + query)
        }

        /// Sends audio and commits it, and returns the events up to its text.
        private func commit(_ samples: [Float], _ client: SocketClient) async throws -> [JSONValue] {
            try await client.say(append(samples))
            try await client.say(["type": "input_audio_buffer.commit"])
            return try await client.events(to: prefix + "completed")
        }

        /// Runs a session that the test can shut down.
        private func talk(ending context: ServerContext) async throws -> (SocketClient, RealtimeSession) {
            let (sessions, begun) = AsyncStream.makeStream(of: RealtimeSession.self)
            let route: WebSocketHTTPChannel.Route = { _ in
                .accept(subprotocol: nil) { connection in
                    let session = RealtimeSession(connection, context, RealtimeProtocol(id: "s"))
                    begun.yield(session)
                    await session.run()
                }
            }
            let client = try await SocketClient.talk(socketServer(route: route))
            var iterator = sessions.makeAsyncIterator()
            return (client, try #require(await iterator.next()))
        }

        @Test(arguments: Hearing.allCases) func theServerDetectsTurnsAndSendsTheirText(hearing: Hearing) async throws {
            let client = try await talk(serverContext(hearing: hearing), "?intent=transcription")
            #expect(try await client.event()?["type"] == "session.created")
            try await client.say(update(["format": ["type": "audio/pcm", "rate": 16000]]))
            #expect(try await client.event()?["type"] == "session.updated")
            let speech = try TestAudio.speech()
            for start in stride(from: 0, to: speech.count, by: 8000) {
                try await client.say(append(Array(speech[start..<min(start + 8000, speech.count)])))
            }
            try await client.say(append([Float](repeating: 0, count: 32_000)))
            let events = try await client.events(to: prefix + "completed")
            let names = types(events)
            #expect(names.first == "input_audio_buffer.speech_started")
            #expect(names.contains("input_audio_buffer.committed") && names.contains(prefix + "delta"))
            let item = try #require(events.first?["item_id"])
            let deltas = events.filter { $0["item_id"] == item }.compactMap { $0["delta"]?.string }
            #expect(events.last?["transcript"]?.string == deltas.joined() && !deltas.isEmpty)
        }

        /// As in OpenAI's API, where models ignore hints that they cannot take.
        @Test(arguments: Hearing.allCases) func hintsThatTheModelCannotTakeAreIgnored(hearing: Hearing) async throws {
            let client = try await talk(serverContext(model: SecondFamilyModel(hearing: hearing, options: [])))
            #expect(try await client.event()?["type"] == "session.created")
            let format: JSONValue = ["type": "audio/pcm", "rate": 16000]
            let hints: [JSONValue] = [
                ["prompt": "A story.", "keywords": ["Kennedy"]], ["keywords": ["Kurz"]], ["keywords": ["Steno"]],
            ]
            for hint in hints {
                try await client.say(update(["format": format, "turn_detection": nil, "transcription": hint]))
                #expect(try await client.event()?["type"] == "session.updated")
                let events = try await commit(try TestAudio.speech(), client)
                #expect(!events.contains { $0["type"] == "error" } && events.last?["transcript"] != "")
            }
        }

        @Test func aSessionWithoutAudioFreesItsPlace() async throws {
            let context = serverContext(configure: { $0.timeouts.audio = 0.001 })
            let client = try await talk(context)
            #expect(try await client.events(to: "close").last?["code"] == 1008)
            try await waitWhile(context.admission.load.liveSessions > 0)
        }

        @Test(arguments: Hearing.allCases) func aCommitReturnsTheTextOfPrecedingAudio(hearing: Hearing) async throws {
            let client = try await talk(serverContext(hearing: hearing))
            try await client.say(update(manual))
            let speech = try TestAudio.speech()
            var items: [JSONValue?] = []
            for half in [speech[..<80_000], speech[80_000...]] {
                let events = try await commit(Array(half), client)
                let committed = try #require(events.first { $0["type"] == "input_audio_buffer.committed" })
                #expect(committed["previous_item_id"] == (items.last ?? .null))
                items.append(committed["item_id"])
                #expect(events.last?["transcript"]?.string?.isEmpty == false)
                #expect(events.last?["item_id"] == committed["item_id"])
            }
        }

        @Test(arguments: Hearing.allCases) func audioOfOtherRatesIsResampledAndTimed(hearing: Hearing) async throws {
            let client = try await talk(serverContext(hearing: hearing))
            try await client.say(update(["format": ["type": "audio/pcm", "rate": 48000], "turn_detection": nil]))
            let speech = try TestAudio.speech().prefix(64_000).flatMap { [$0, $0, $0] }
            let events = try await commit(speech, client)
            #expect(events.last?["usage"]?["seconds"] == 4)
            let words = try #require(events.last?["words"]?.array)
            #expect(!words.isEmpty && words.allSatisfy { ($0["end"]?.number ?? 9) <= 4 })
        }

        @Test func anUnknownLanguageOrModelIsRefusedAndTheSessionContinues() async throws {
            let server = try await serve(serverContext()).0
            #expect(try await SocketClient.answer(server.port, "/v1/realtime?model=nothing").hasPrefix("HTTP/1.1 404"))
            let client = try await SocketClient.talk(server.port, "/v1/realtime?model=gpt-4o-transcribe")
            try await client.say(update(["transcription": ["language": "de"]]))
            #expect(try await client.events(to: "error").last?["error"]?["code"] == "unknown_language")
            try await client.say(update(["transcription": ["model": "nothing"]]))
            #expect(try await client.event()?["error"]?["code"] == "model_not_found")
            try await client.say(update(["transcription": ["language": "en"]]))
            #expect(try await client.event()?["type"] == "session.updated")
        }

        /// There is room for the default model and one other.
        @Test func switchingModelsFreesTheOldModelsMemory() async throws {
            let models = ServedModels(names: ["a", "b", "c"], size: { _ in 10 }) { _ in SecondFamilyModel() }
            let host = ModelHost(catalog: models, turns: ComputeTurns(), memoryLimit: 20)
            let kept = try await host.lease("a")
            let client = try await talk(serverContext(models: host), "?model=b")
            #expect(try await client.event()?["type"] == "session.created")
            try await client.say(update(manual))
            #expect(try await client.event()?["type"] == "session.updated")
            try await client.say(append([Float](repeating: 0, count: 16_000)))
            try await client.say(update(["transcription": ["model": "c"]]))
            #expect(try await client.event()?["type"] == "session.updated")
            #expect(await host.loadedNames == ["a", "c"])
            kept.close()
        }

        @Test func theKeyTheOriginAndTheNumberOfSessionsAreChecked() async throws {
            let context = serverContext(configure: { $0.apiKeys = ["k"] }, sessions: 1)
            let (server, endpoint) = try await serve(context)
            #expect(try await SocketClient.answer(server.port, "/v1/realtime").hasPrefix("HTTP/1.1 401"))
            let headers = ["Origin: https://elsewhere.example", "Authorization: Bearer k"]
            #expect(try await SocketClient.answer(server.port, "/v1/realtime", headers).hasPrefix("HTTP/1.1 403"))
            let token = try endpoint.tokens.clientSecret([])["value"]?.string ?? ""
            let live = try await SocketClient.answer(server.port, "/v1/steno/live", ["Authorization: Bearer \(token)"])
            #expect(live.hasPrefix("HTTP/1.1 401"), "the token is only for realtime sessions")
            let client = try await SocketClient.connect(server.port)
            let head = try await client.upgrade(
                "/v1/realtime", ["Sec-WebSocket-Protocol: realtime, openai-insecure-api-key.\(token)"])
            #expect(head.hasPrefix("HTTP/1.1 101") && !head.contains(token))
            #expect(context.admission.load.liveSessions == 1)
            let second = try await SocketClient.answer(server.port, "/v1/realtime", ["Authorization: Bearer k"])
            #expect(second.hasPrefix("HTTP/1.1 503") && second.lowercased().contains("retry-after"))
            // The close frame is answered when the session has ended.
            try await client.send(ClientFrames.bytes(8, []))
            while try await client.event() != nil {}
            try await waitWhile(context.admission.load.liveSessions > 0)
        }

        @Test(arguments: [false, true], Hearing.allCases)
        func aShutdownSendsPendingTextFirst(isStarting: Bool, hearing: Hearing) async throws {
            let model = StartingModel(hearing: hearing)
            let (client, session) = try await talk(ending: serverContext(model: model))
            try await client.say(update(manual))
            try await client.say(append(try TestAudio.speech()))
            // The audio waits for an engine, or an answer shows that it was processed.
            if isStarting {
                await model.starting.wait()
            } else {
                model.open()
                try await client.say(["type": "nothing"])
                _ = try await client.events(to: "error")
            }
            await session.shutDown()
            model.open()
            let events = try await client.events(to: "close")
            #expect(isStarting || types(events).suffix(2) == [prefix + "completed", "close"])
            let completed = events.filter { $0["type"] == .string(prefix + "completed") }
            #expect(completed.count == 1 && completed.first?["transcript"]?.string?.isEmpty == false)
            #expect(events.last?["code"] == 1001)
        }

        @Test func aCommitWithoutAnEngineFailsItsItem() async throws {
            let client = try await talk(serverContext(model: StartingModel(hasMemory: false)))
            try await client.say(update(manual))
            try await client.say(append([Float](repeating: 0, count: 16_000)))
            #expect(try await client.events(to: "error").last?["error"]?["code"] == "server_busy")
            try await client.say(["type": "input_audio_buffer.commit"])
            // Ensures that there is an error to read up to.
            try await client.say(["type": "nothing"])
            let types = types(try await client.events(to: "error"))
            #expect(types.contains(prefix + "failed") && !types.contains(prefix + "completed"))
        }

        /// A client whose audio waits for an engine's memory is not silent.
        @Test(arguments: Hearing.allCases) func processingAnEventIsNotSilence(hearing: Hearing) async throws {
            let model = StartingModel(hearing: hearing), channel = NIOAsyncTestingChannel()
            let (messages, client) = NIOAsyncChannelInboundStream<WebSocketMessage>.makeTestingStream()
            let shutdown = channel.eventLoop.makePromise(of: Void.self)
            let session = RealtimeSession(
                WebSocketConnection(messages, channel, shutdown: shutdown.futureResult), serverContext(model: model),
                RealtimeProtocol(id: "s"))
            let running = Task { await session.run() }
            client.yield(.text(update(manual).text))
            client.yield(.text(append(try TestAudio.speech()).text))
            await model.starting.wait()
            await channel.testingEventLoop.advanceTime(by: .minutes(10))
            model.open()
            shutdown.succeed()
            var texts: [JSONValue] = []
            var end: WebSocketClose?
            while end == nil {
                switch try await channel.waitForOutboundWrite(as: WebSocketOutput.self) {
                case .text(let text): texts.append(try JSONValue(parsing: text.utf8))
                case .close(let reason): end = reason
                }
            }
            #expect(end == .goingAway)
            let transcripts = texts.compactMap { $0["transcript"]?.string }
            #expect(transcripts.count == 1 && !transcripts.joined().isEmpty)
            client.finish()
            await running.value
            _ = try? await channel.finish(acceptAlreadyClosed: true)
        }

        @Test func whisperTranscribesTelephoneAudioWithWordTimes() async throws {
            let model = try await Transcriber.load(try BundledModel.folder).model
            let client = try await talk(serverContext(model: model))
            let format: JSONValue = ["type": "audio/pcmu"], english: JSONValue = ["language": "en"]
            try await client.say(update(["format": format, "turn_detection": nil, "transcription": english]))
            let speech = try TestAudio.speech()
            let telephone = stride(from: 0, to: speech.count, by: 2).map { encodeMuLaw(speech[$0]) }
            try await client.say([
                "type": "input_audio_buffer.append", "audio": .string(Data(telephone).base64EncodedString()),
            ])
            try await client.say(["type": "input_audio_buffer.commit"])
            let completed = try #require(try await client.events(to: prefix + "completed").last)
            let text = completed["transcript"]?.string?.lowercased().filter { $0.isLetter || $0 == " " }
            #expect(text?.contains("ask not what your country can do for you") == true)
            let words = try #require(completed["words"]?.array)
            #expect(words.count > 15)
            let starts = words.compactMap { $0["start"]?.number }
            #expect(starts == starts.sorted() && (starts.last ?? 0) < 11)
        }

        /// The nearest code, by brute force.
        private func encodeMuLaw(_ sample: Float) -> UInt8 {
            let value = Int(max(-32124, min(32124, sample * 32768)))
            return Self.codes[(value + 32_768) >> 4]
        }

        private static let codes: [UInt8] = (0..<4096).map { step in
            let value = step * 16 - 32_768 + 8
            return (UInt8(0)...255).min {
                abs(Int(G711.muLaw.decode($0)) - value) < abs(Int(G711.muLaw.decode($1)) - value)
            } ?? 0
        }
    }
#endif
