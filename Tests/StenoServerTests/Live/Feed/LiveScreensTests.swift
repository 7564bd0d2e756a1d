#if Server
    import Steno
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    /// Which session a screen shows.
    @Suite(.timeLimit(.minutes(15))) struct LiveScreensTests {
        /// The end of a reader takes the monitor's lock while the runtime holds another that waking it needs.
        @available(macOS 15, iOS 18, *) @Test func readersAreWokenWhenTheLockIsFree() async throws {
            let screens = LiveScreens()
            let feed = try await liveFeed(serverContext())
            let watch = WakingWatch { _ = screens.isShown("a") }
            let sessions = screens.sessions(of: "a")
            let reader = Task(executorPreference: watch) { await sessions.first { _ in true }?.id }
            await watch.settle()
            screens.begin(feed, on: "a")
            #expect(await reader.value == "s")
            #expect(watch.wasFree.all.allSatisfy { $0 })
            await feed.abandon()
        }

        /// Two sessions that begin at the same time: the older one may be the last that wakes a reader.
        @available(macOS 15, iOS 18, *) @Test func anOlderSessionDoesNotReplaceANewerOne() async throws {
            let screens = LiveScreens(), isBeginning = CancellationFlag()
            let older = try await liveFeed(serverContext(), id: "older")
            let newer = try await liveFeed(serverContext(), id: "newer")
            let interruption = Once { screens.begin(newer, on: "a") }
            // Interrupts when the older session wakes the first reader.
            let watch = WakingWatch { if isBeginning.isCancelled { interruption.run() } }
            let seen = [Recorder<String>(), Recorder<String>()]
            let readers = seen.map { seen in
                Task(executorPreference: watch) { [sessions = screens.sessions(of: "a")] in
                    for await feed in sessions { seen.add(feed.id) }
                }
            }
            await watch.settle()
            isBeginning.cancel()
            screens.begin(older, on: "a")
            await watch.settle()
            #expect(seen.map(\.all.last) == ["newer", "newer"])
            for reader in readers { reader.cancel() }
            for feed in [older, newer] { await feed.abandon() }
        }
    }

    /// Positions in a recording whose client numbers its samples.
    @Suite struct RecordingTimelineTests {
        private var timeline = RecordingTimeline()

        /// Audio that starts at a second.
        private func chunk(_ second: Int, _ count: Int = 2) -> AudioChunk {
            AudioChunk(position: second * 16_000, samples: [Float](repeating: 0.5, count: count))
        }

        @Test mutating func gapsInRealTimeStayGaps() {
            #expect(timeline.place(chunk(0), after: 0) == chunk(0))
            for second in stride(from: 29, to: 290, by: 29) {
                #expect(timeline.place(chunk(second), after: Double(second)) == chunk(second))
            }
        }

        /// A client that counts faster than real time.
        @Test mutating func silenceIsLimitedToElapsedTime() throws {
            var end = 0, silence = 0
            func place(_ numbers: ClosedRange<Int>, after elapsed: Double) throws {
                for number in numbers {
                    let next = timeline.place(chunk(29 * number, 16_000), after: elapsed)
                    let placed = try #require(next)
                    #expect(placed.samples.count == 16_000)
                    silence += placed.position - end
                    end = placed.end
                }
            }
            try place(1...1000, after: 0)
            #expect(silence == 29 * 16_000)
            try place(1001...2000, after: 60)
            #expect(silence == (29 + 2 * 28) * 16_000)
            #expect(end == silence + 2000 * 16_000, "all audio is there, one piece after the other")
        }

        @Test mutating func aLongGapIsLeftToTheRecorder() {
            #expect(timeline.place(chunk(86_400), after: 0) == chunk(86_400))
            #expect(timeline.place(chunk(86_401), after: 0) == chunk(86_401), "it did not count")
        }

        @Test mutating func repeatedAudioIsKeptOnce() {
            #expect(timeline.place(chunk(0, 32_000), after: 0) == chunk(0, 32_000))
            #expect(timeline.place(chunk(1, 32_000), after: 0) == chunk(2, 16_000))
            #expect(timeline.place(chunk(0, 48_000), after: 0) == nil)
        }
    }

    /// Clients of `/v1/steno/live` without a key; at most they know a screen's name.
    @Suite(.timeLimit(.minutes(15))) struct GuestTests {
        private static let key = "0123456789abcdef"
        private static let screen = String(repeating: "a", count: 32)
        private let header = ["Authorization: Bearer \(key)"]
        private let watch: JSONValue = ["type": "watch", "screen": .string(screen)]

        private func serve(
            configure: (inout SpeechServer.Configuration) -> Void = { _ in }
        ) async throws -> TestServer {
            try await TestServer.run {
                $0.apiKeys = [Self.key]
                configure(&$0)
            }
        }

        /// A page with the key that shows a screen.
        private func page(of server: TestServer) async throws -> SocketClient {
            let page = try await SocketClient.talk(server.port, "/v1/steno/live", header)
            try await page.hello(["screen": .string(Self.screen)])
            return page
        }

        /// A client that watches the screen.
        private func watcher(_ port: Int, _ headers: [String] = []) async throws -> SocketClient {
            let client = try await SocketClient.talk(port, "/v1/steno/live", headers)
            try await client.say(watch)
            #expect(try await client.event()?["type"] == "watching")
            return client
        }

        @Test func aScreensNameIsEnoughToWatchItAndASessionNeedsTheKey() async throws {
            let server = try await serve()
            #expect(try await SocketClient.codes(server.port, watch) == ["screen_not_found", 4404])
            let page = try await page(of: server), guest = try await watcher(server.port)
            try await guest.say(["type": "ping"])
            #expect(try await guest.events(to: "pong").last?["type"] == "pong")
            #expect(try await page.end().last?["code"] == 1000)
            #expect(try await SocketClient.codes(server.port, ["type": "hello"]) == ["invalid_api_key", 4401])
            for (path, headers) in [("/v1/steno/live", ["Authorization: Bearer wrong"]), ("/v1/realtime", [])] {
                #expect(try await SocketClient.answer(server.port, path, headers).hasPrefix("HTTP/1.1 401"))
            }
        }

        /// A client without a key must not fill the memory, nor any client with its first message; later ones may be long.
        @Test func aLongMessageBeforeASessionIsNotRead() async throws {
            let server = try await serve()
            let guest = try await SocketClient.talk(server.port)
            try await guest.send(ClientFrames.bytes(1, [UInt8](repeating: 32, count: 2000)))
            #expect(try await guest.event()?["code"] == 1009)
            let limit = WebSocketLimits().askingMessageBytes
            let large = try await SocketClient.talk(server.port, "/v1/steno/live", header)
            // Only the frame's header: the server does not wait for the rest.
            try await large.send(ClientFrames.bytes(2, [UInt8](repeating: 0, count: limit + 1)).prefix(14))
            #expect(try await large.event()?["code"] == 1009)
            let client = try await SocketClient.talk(server.port, "/v1/steno/live", header)
            let hello: JSONValue = ["type": "hello", "language": "en"]
            let audio = ClientFrames.audio([Float](repeating: 0, count: limit), at: 0)
            // In one piece: the second message must not be decoded with the first one's limit.
            try await client.send(ClientFrames.bytes(1, Array(hello.text.utf8)) + audio)
            #expect(try await client.events(to: "ack").last?["position"]?.integer == limit)
        }

        @Test func guestsLeaveRoomForClientsWithAKey() async throws {
            let server = try await serve(configure: { $0.maximumWatchers = 4 })
            let page = try await page(of: server)
            var guests: [SocketClient] = []
            for _ in 0..<3 { guests.append(try await watcher(server.port)) }
            #expect(try await SocketClient.codes(server.port, watch) == ["server_busy", 1013])
            _ = try await watcher(server.port, header)
            withExtendedLifetime(guests) {}
            #expect(try await page.end().last?["code"] == 1000)
        }

        @Test func guestsMakeRoomForEverybodyElse() async throws {
            let server = try await serve(configure: { $0.maximumConnections = 2 })
            let page = try await page(of: server), guest = try await watcher(server.port)
            _ = try await guest.events(to: "snapshot")
            #expect(try await server.send(.get("/health")).status == 200)
            #expect(try await guest.events(to: "close") == [], "it is cut off")
            #expect(try await page.end().last?["code"] == 1000)
        }

        @Test func aGuestWhoLeavesMakesRoomForTheNext() async throws {
            let feeds = LiveFeeds(
                serverContext(configure: {
                    $0.maximumWatchers = 1
                    $0.timeouts = .patient
                }))
            func listen(isGuest: Bool) async throws -> ServerTask {
                let route: WebSocketHTTPChannel.Route = { _ in
                    .accept(subprotocol: nil) { connection in await feeds.run(connection, isGuest: isGuest) }
                }
                return try await socketServer(route: route)
            }
            let page = try await SocketClient.talk(listen(isGuest: false))
            try await page.hello(["screen": .string(Self.screen)])
            let server = try await listen(isGuest: true)
            for _ in 0..<2 {
                _ = try await watcher(server.port)
                try await waitWhile(feeds.watcherCount > 0)
            }
            try await page.end()
        }
    }
#endif
