#if Server
    import Foundation
    import NIOCore
    import NIOEmbedded
    import NIOPosix
    @testable import Steno
    import StenoCore
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    /// The live WebSocket: sessions that lose their connection and continue.
    @Suite(.timeLimit(.minutes(15))) struct LiveFeedTests {
        private let loop = NIOAsyncTestingEventLoop()

        private func serve(
            _ context: ServerContext, onClose: @escaping @Sendable () -> Void = {}
        ) async throws -> (ServerTask, LiveFeeds) {
            let feeds = LiveFeeds(context, loop: loop)
            let route: WebSocketHTTPChannel.Route = { _ in
                .accept(subprotocol: nil) { connection in
                    connection.onClose(onClose)
                    await feeds.run(connection)
                }
            }
            return (try await socketServer(route: route), feeds)
        }

        /// The client of a new server.
        private func talk(_ context: ServerContext) async throws -> SocketClient {
            try await SocketClient.talk(serve(context).0)
        }

        /// A model whose loading opens the first gate and waits for the second.
        private func slowModel() -> (ModelHost, started: AsyncGate, loading: AsyncGate) {
            let started = AsyncGate(), loading = AsyncGate()
            let models = ServedModels(names: ["slow"]) { _ in
                started.open()
                await loading.wait()
                return SecondFamilyModel()
            }
            return (ModelHost(catalog: models, turns: ComputeTurns()), started, loading)
        }

        @Test(arguments: Hearing.allCases) func aSessionSendsTheLibrarysEvents(hearing: Hearing) async throws {
            let context = serverContext(hearing: hearing)
            let speech = try TestAudio.speech()
            let (server, feeds) = try await serve(context)
            let client = try await SocketClient.talk(server.port)
            let welcome = try await client.hello()
            #expect(welcome["position"] == 0)
            try await client.speak(speech, piece: 16_000)
            let events = try await client.end()
            #expect(!events.spokenText.isEmpty && events.dropLast().last?["state"] == "finished")
            #expect(events.last { $0["type"] == "ack" }?["position"] == .number(Double(speech.count)))
            let sequences = events.compactMap { $0["sequence"]?.integer }
            #expect(sequences == Array(0..<sequences.count))
            await client.close()
            #expect(feeds.count == 0)
            let seconds = MetricFamily.number(Double(speech.count) / 16_000)
            #expect(context.metrics.text().contains("steno_audio_seconds_total{kind=\"live\"} \(seconds)\n"))
        }

        /// The same audio, over one connection and over many that break at any place.
        @Test(arguments: Hearing.allCases)
        func aSessionWithBrokenConnectionsHasItsTextOnce(hearing: Hearing) async throws {
            let speech = try TestAudio.speech()
            var random = SplitMix64(seed: 60)
            let context = serverContext(hearing: hearing)
            let server = try await serve(context).0
            var session: JSONValue = .null, lastEvent = -1, position = 0, all: [JSONValue] = []
            while position < speech.count {
                let client = try await SocketClient.talk(server.port)
                try await client.say(["type": "hello", "session": session, "lastEvent": .number(Double(lastEvent))])
                var wanted = position
                repeat {
                    guard let event = try await client.event() else { break }
                    if event["type"] == "welcome" {
                        session = try #require(event["session"])
                        position = event["position"]?.integer ?? 0
                        wanted = min(speech.count, position + 24_000)
                        // Some of it twice, as after a loss; then a piece whose acknowledgement is not awaited.
                        let first = max(0, position - Int(random.next() % 5000))
                        try await client.send(ClientFrames.audio(speech[first..<wanted], at: first))
                    } else if event["type"] == "ack" {
                        position = event["position"]?.integer ?? 0
                    } else {
                        all.append(event)
                        lastEvent = event["sequence"]?.integer ?? lastEvent
                    }
                } while position < wanted
                if position < speech.count {
                    try await client.send(ClientFrames.audio(speech[position...], at: position).prefix(3000))
                }
                await client.close()
            }
            let client = try await SocketClient.talk(server.port)
            try await client.say(["type": "hello", "session": session, "lastEvent": .number(Double(lastEvent))])
            all += try await client.end().filter { $0["sequence"] != nil }
            let sequences = all.compactMap { $0["sequence"]?.integer }
            #expect(Set(sequences).count == sequences.count && sequences == sequences.sorted())
            #expect(all.hasEveryFinal && !all.contains { $0["type"] == "discontinuity" })
        }

        /// Each in mid-sentence: earlier audio becomes final, and cleared audio never becomes text.
        @Test(arguments: Hearing.allCases) func aClientFinalizesAndClearsAtASample(hearing: Hearing) async throws {
            let client = try await talk(serverContext(hearing: hearing))
            try await client.hello()
            let speech = try TestAudio.speech()
            let (finalized, cleared) = (24_000, 104_000)
            try await client.send(ClientFrames.audio(speech[..<finalized], at: 0))
            try await client.say(["type": "finalize"])
            try await client.send(ClientFrames.audio(speech[finalized..<cleared], at: finalized))
            try await client.say(["type": "clear"])
            try await client.send(ClientFrames.audio(speech[cleared...], at: cleared))
            let events = try await client.end()
            func starts(_ events: ArraySlice<JSONValue>) -> [Double] {
                let words = events.filter { $0["type"] == "final" }.flatMap { $0["words"]?.array ?? [] }
                return words.compactMap { $0["start"]?.number }
            }
            let clearing = try #require(events.firstIndex { $0["type"] == "cleared" })
            let (before, after) = (starts(events[..<clearing]), starts(events[clearing...]))
            // The model's words are whole seconds: those after the cut are counted from there.
            #expect(before.contains { $0 < 0.5 } && !before.contains { $0 > 0.5 && $0 < 1.4 })
            #expect(after.allSatisfy { $0 > 6.4 } && !after.isEmpty)
            #expect(events.contains { $0["type"] == "skipped" && $0["reason"] == "cleared" })
            #expect(events.hasEveryFinal)
        }

        @Test func aSessionThatCannotStartEndsWithItsError() async throws {
            let sizes = ["a": 10, "b": 15]
            let models = ServedModels(names: ["a", "b"], size: { sizes[$0] ?? 0 }) { _ in SecondFamilyModel() }
            let host = ModelHost(catalog: models, turns: ComputeTurns(), memoryLimit: 20)
            let kept = try await host.lease("a")
            let task: JSONValue = ["type": "hello", "task": "translate"]
            for (context, hello, codes) in [
                (serverContext(), task, ["invalid_value", 4400]),
                (serverContext(hearing: .streaming), task, ["invalid_value", 4400]),
                // Next to the default model, it never fits.
                (serverContext(models: host), ["type": "hello", "model": "b"], ["model_too_large", 4413]),
                (serverContext(model: StartingModel(hasMemory: false)), ["type": "hello"], ["server_busy", 1013]),
            ] as [(ServerContext, JSONValue, [JSONValue])] {
                let (server, feeds) = try await serve(context)
                #expect(try await SocketClient.codes(server.port, hello) == codes)
                try await waitWhile(context.admission.load.liveSessions > 0)
                #expect(feeds.count == 0)
            }
            kept.close()
        }

        @Test func aSilentConnectionDoesNotDelayShutdown() async throws {
            try await ShutdownServer(model: SecondFamilyModel()).run { server, stop in
                let client = try await SocketClient.talk(server.port)
                await stop()
                #expect(try await client.events(to: "close").last?["code"] == 1013)
            }
        }

        @Test func aSilentConnectionIsClosed() async throws {
            let client = try await talk(serverContext())
            // The server begins to wait a moment after it has answered.
            let clock = Task {
                while !Task.isCancelled {
                    await loop.advanceTime(by: .seconds(30))
                    await Task.yield()
                }
            }
            defer { clock.cancel() }
            #expect(try await client.events(to: "close").map { $0["code"] } == ["timeout", 4408])
        }

        @Test func anAbandonedSessionEndsAfterAMinute() async throws {
            let context = serverContext(sessions: 1)
            let (server, feeds) = try await serve(context)
            let client = try await SocketClient.talk(server.port)
            let session = try await client.hello()["session"] ?? .null
            await client.close()
            #expect(context.admission.load.liveSessions == 1, "its place is kept")
            // Its place is freed a moment before its text, which waits for a client once more.
            while context.admission.load.liveSessions > 0 || feeds.count > 0 {
                try Task.checkCancellation()
                await loop.advanceTime(by: .seconds(61))
                await Task.yield()
            }
            let codes = try await SocketClient.codes(server.port, ["type": "hello", "session": session])
            #expect(codes == ["session_not_found", 4404])
        }

        /// Loading a model may take longer than a page waits for a message.
        @Test func aClientIsToldThatItsModelIsLoading() async throws {
            let (model, started, loading) = slowModel()
            let client = try await talk(serverContext(models: model))
            try await client.say(["type": "hello"])
            // Until the message is read, the same clock would close a silent connection.
            await started.wait()
            // The server reports loading a moment after it starts.
            let clock = Task {
                while !Task.isCancelled {
                    await loop.advanceTime(by: .seconds(1))
                    await Task.yield()
                }
            }
            for _ in 0..<3 { #expect(try await client.event()?["type"] == "loading") }
            clock.cancel()
            await clock.value
            loading.open()
            #expect(try await client.events(to: "welcome").last?["type"] == "welcome")
            try await client.end()
        }

        @Test func aClientThatLeavesBeforeTheStartFreesItsPlace() async throws {
            let model = StartingModel(), isGone = AsyncGate()
            let context = serverContext(sessions: 1, model: model)
            let (server, feeds) = try await serve(context, onClose: { isGone.open() })
            let client = try await SocketClient.talk(server.port)
            try await client.say(["type": "hello"])
            await model.starting.wait()
            #expect(context.admission.load.liveSessions == 1)
            await client.close()
            // A session that starts before the server sees that its client left waits for it to come back.
            await isGone.wait()
            for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() { try await loop.submit {}.get() }
            model.open()
            // The clock of sessions without a connection stands still.
            try await waitWhile(context.admission.load.liveSessions > 0 || feeds.count > 0)
        }

        @Test func aClientThatLeavesDuringLoadingFreesItsPlace() async throws {
            let (model, started, loading) = slowModel()
            defer { loading.open() }
            let context = serverContext(sessions: 1, models: model)
            let server = try await serve(context).0
            let client = try await SocketClient.talk(server.port)
            try await client.say(["type": "hello"])
            await started.wait()
            await client.close()
            try await waitWhile(context.admission.load.liveSessions > 0)
        }

        @Test func aSecondConnectionTakesOverTheSession() async throws {
            let server = try await serve(serverContext()).0
            let first = try await SocketClient.talk(server.port)
            let session = try await first.hello()["session"] ?? .null
            let second = try await SocketClient.talk(server.port)
            let welcome = try await second.hello(["session": session])
            #expect(welcome["session"] == session)
            #expect(try await first.events(to: "close").last?["code"] == 4001)
            #expect(try await second.end().last?["code"] == 1000)
        }

        /// JSON is parsed before a place is reserved.
        @Test func textMessagesHaveALimit() async throws {
            func hello(_ bytes: Int) -> [UInt8] {
                let start = #"{"type": "hello", "more": ""#
                let more = String(repeating: "x", count: bytes - start.utf8.count - 2)
                return ClientFrames.bytes(1, Array((start + more + "\"}").utf8))
            }
            let context = serverContext(), limit = LiveFeedRequest.longestText
            let (server, feeds) = try await serve(context)
            let client = try await SocketClient.talk(server.port)
            try await client.send(hello(limit + 1))
            let error = try await client.event()
            #expect(error?["code"] == "message_too_large" && error?["fatal"] == true)
            #expect(try await client.event()?["code"] == 4400)
            #expect(feeds.count == 0 && context.admission.load.liveSessions == 0)
            let next = try await SocketClient.talk(server.port)
            try await next.send(hello(limit))
            #expect(try await next.event()?["type"] == "welcome")
            try await next.send(hello(limit + 1))
            let later = try await next.events(to: "error").last
            #expect(later?["code"] == "message_too_large" && later?["fatal"] == false)
            #expect(try await next.end().last?["code"] == 1000)
        }

        @Test func watchersHaveALimit() async throws {
            let context = serverContext(configure: { $0.maximumWatchers = 1 })
            let screens: [JSONValue] = ["a", "b"].map {
                ["type": "watch", "screen": .string(String(repeating: $0, count: 32))]
            }
            let (server, feeds) = try await serve(context)
            let first = try await SocketClient.talk(server.port)
            try await first.say(screens[0])
            #expect(try await first.event()?["type"] == "watching")
            let second = try await SocketClient.talk(server.port)
            try await second.say(screens[1])
            let refused = try await second.events(to: "close")
            #expect(refused.compactMap { $0["code"] } == ["server_busy", 1013] && refused.first?["fatal"] == true)
            #expect(context.metrics.text().contains("steno_refused_total{kind=\"screen\"} 1\n"))
            // Sessions have their own.
            try await SocketClient.talk(server.port).hello()
            await first.close()
            try await waitWhile(feeds.watcherCount > 0)
            let third = try await SocketClient.talk(server.port)
            try await third.say(screens[1])
            #expect(try await third.event()?["type"] == "watching")
        }

        @Test func errorsAreReportedAndAFullServerRefuses() async throws {
            let server = try await serve(serverContext(sessions: 1)).0
            let client = try await SocketClient.talk(server.port)
            try await client.say(["type": "hello"])
            try await client.say(["type": "nothing"])
            #expect(try await client.events(to: "error").last?["code"] == "invalid_value")
            try await client.send(ClientFrames.bytes(2, [1, 2, 3]))
            #expect(try await client.events(to: "error").last?["code"] == "invalid_audio")
            #expect(try await SocketClient.codes(server.port, ["type": "hello"]) == ["server_busy", 1013])
            await client.close()
            #expect(try await SocketClient.codes(server.port, ["type": "finish"]).last == 4400)
        }

        /// A client that has the last forgotten event needs no snapshot; one that misses it does.
        @Test func aLogThatDroppedEventsReturnsNil() {
            func log(of count: Int) -> LiveFeedLog {
                (0..<count).reduce(into: LiveFeedLog(limit: 10)) { log, index in
                    var event = TranscriptionEvent(.utteranceEnd(index), position: 0)
                    event.sequence = index
                    log.add(event, "\(index)")
                }
            }
            for (count, event, lines) in [
                (25, 24, []), (25, 22, ["23", "24"]), (25, 3, nil), (11, 3, nil),
                (11, 4, ["5", "6", "7", "8", "9", "10"]),
            ] as [(Int, Int, [String]?)] {
                #expect(log(of: count).lines(after: event) == lines, "\(count) events, \(event)")
            }
        }
    }
#endif
