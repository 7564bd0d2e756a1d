#if Server
    import Foundation
    import NIOCore
    import NIOEmbedded
    import Steno
    import StenoCore
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    /// Live sessions that end while their client is away, and clients' options.
    @Suite(.timeLimit(.minutes(15))) struct LiveFeedEndTests {
        private let loop = NIOAsyncTestingEventLoop()
        private let isGone = CancellationFlag()

        /// A connection whose output a test can read.
        private struct Client {
            let channel = NIOAsyncTestingChannel()

            var connection: WebSocketConnection {
                WebSocketConnection(
                    NIOAsyncChannelInboundStream<WebSocketMessage>.makeTestingStream().0, channel,
                    shutdown: channel.eventLoop.makeSucceededVoidFuture())
            }

            /// Closes the channel; an open one and its pipeline keep each other in memory.
            func end() async { _ = try? await channel.finish(acceptAlreadyClosed: true) }

            /// The output since the last call.
            func sent() async throws -> [WebSocketOutput] {
                var all: [WebSocketOutput] = []
                while let output = try await channel.readOutbound(as: WebSocketOutput.self) { all.append(output) }
                return all
            }
        }

        /// A session that has started, its first client, and the number of that connection.
        private func started(
            _ context: ServerContext, silence: Double? = nil, archive: StubArchive? = nil
        ) async throws -> (feed: LiveFeed, client: Client, generation: Int) {
            let feed = try await liveFeed(context, loop) { [isGone] in isGone.cancel() }
            if let silence { await feed.watchAudio(silence) }
            if let archive { await feed.keep(in: archive) }
            try await feed.start()
            let client = Client()
            return (feed, client, await feed.attach(client.connection, after: -1))
        }

        /// A session that got a recording and its end; the connection broke before the text was final.
        private func abandoned(_ context: ServerContext) async throws -> (feed: LiveFeed, sent: [WebSocketOutput]) {
            let (feed, client, generation) = try await started(context)
            await feed.take(.binary(audio(try TestAudio.speech(), at: 0)), generation)
            await feed.detach(generation)
            let sent = try await client.sent()
            await client.end()
            await feed.finish()
            try await waitWhile(context.admission.load.liveSessions > 0)
            return (feed, sent)
        }

        private func events(_ sent: [WebSocketOutput]) throws -> [JSONValue] {
            try sent.compactMap { if case .text(let text) = $0 { try JSONValue(parsing: text.utf8) } else { nil } }
        }

        @Test(arguments: Hearing.allCases) func textFinishedOfflineWaitsForTheClient(hearing: Hearing) async throws {
            let (feed, sent) = try await abandoned(serverContext(hearing: hearing))
            #expect(!isGone.isCancelled)
            let before = try events(sent)
            let client = Client()
            _ = await feed.attach(client.connection, after: before.compactMap { $0["sequence"]?.integer }.last ?? -1)
            let rest = try await client.sent()
            let after = try events(rest)
            #expect((before + after).hasEveryFinal)
            await client.end()
            #expect(after.last?["state"] == "finished" && rest.last == .close(.normal))
            #expect(isGone.isCancelled, "nobody has to continue it")
        }

        /// A phone whose battery died: the words being spoken still become text for the history.
        @Test(arguments: Hearing.allCases)
        func audioBecomesTextEvenIfTheClientNeverReturns(hearing: Hearing) async throws {
            let (feed, lost, generation) = try await started(serverContext(hearing: hearing))
            // One and a half seconds: the utterance has not ended.
            await feed.take(.binary(audio(Array(try TestAudio.speech().prefix(24_000)), at: 0)), generation)
            await feed.detach(generation)
            await lost.end()
            await loop.advanceTime(by: .seconds(61))
            try await waitWhile(!isGone.isCancelled)
            let client = Client()
            _ = await feed.attach(client.connection, after: -1)
            let all = try events(try await client.sent())
            await client.end()
            #expect(all.contains { $0["type"] == "final" } && all.last?["state"] == "finished")
        }

        /// The client must not believe that it is still heard.
        @Test func aClientThatReturnsTooLateLearnsThatTheAudioHasEnded() async throws {
            // Another decoding delays the text until the client has returned.
            let held = try await HeldTurns()
            let feed = try await liveFeed(held.context())
            try await feed.start()
            let lost = Client(), client = Client()
            let audio = audio(Array(try TestAudio.speech().prefix(24_000)), at: 0)
            await feed.take(.binary(audio), feed.attach(lost.connection, after: -1))
            await feed.finish()
            let generation = await feed.attach(client.connection, after: -1)
            for type in ["finish", "update", "finalize", "clear"] {
                await feed.take(.text(#"{"type": "\#(type)"}"#), generation)
            }
            await feed.take(.binary(audio), generation)
            let errors = try events(try await client.sent()).filter { $0["type"] == "error" }
            #expect(errors.map { $0["code"] } == ["session_finished", "session_finished"])
            held.release()
            await feed.finished()
            await lost.end()
            await client.end()
        }

        @Test func aSessionWithoutAudioEnds() async throws {
            let context = serverContext()
            let (feed, client, generation) = try await started(context, silence: 600)
            let silent = try await liveFeed(context, loop, id: "t")
            await silent.watchAudio(600)
            try await silent.start()
            for position in 0..<2 {
                await loop.advanceTime(by: .minutes(9))
                // Their timers started together: once the other has ended, this one would have too.
                try await waitWhile(context.admission.load.liveSessions > 2 - position)
                await feed.take(.binary(audio([0], at: position)), generation)
            }
            #expect(try !events(try await client.sent()).contains { $0["type"] == "error" })
            await loop.advanceTime(by: .minutes(10))
            try await waitWhile(!isGone.isCancelled)
            #expect(context.admission.load.liveSessions == 0)
            await client.end()
        }

        /// Were the timer the last to hold the session, the session would end while the loop discards the timer, and cancel
        /// its other timers in the middle of that.
        @Test func theTimerOfALostClientDoesNotHoldTheSession() async throws {
            var feed: LiveFeed? = try await liveFeed(serverContext(), loop)
            weak var session: LiveFeed?
            session = feed
            await feed?.watchAudio(600)
            await feed?.detach(0)
            feed = nil
            #expect(session == nil)
        }

        /// A message of audio.
        private func audio(_ samples: [Float], at position: Int) -> ByteBuffer {
            var audio = ByteBuffer()
            audio.writeInteger(UInt64(position), endianness: .little)
            audio.writeBytes(bytes16(samples))
            return audio
        }

        /// The engine accepts ten seconds, and more once it has decoded them.
        @Test(arguments: Hearing.allCases) func processingLongAudioIsNotSilence(hearing: Hearing) async throws {
            let held = try await HeldTurns()
            let (feed, client, generation) = try await started(held.context(.fast, hearing: hearing), silence: 600)
            let speech = try TestAudio.speech()
            let long = audio(speech + speech, at: 0)
            let taking = Task { await feed.take(.binary(long), generation) }
            try await waitWhile(held.turns.counts.waitingLive == 0)
            await loop.advanceTime(by: .minutes(10))
            held.release()
            await taking.value
            await feed.take(.binary(audio([0], at: 2 * speech.count)), generation)
            #expect(try !events(try await client.sent()).contains { $0["type"] == "error" })
            await feed.abandon()
            await client.end()
        }

        /// Each message of a few bytes stands for ten seconds of silence in the recording.
        @Test func aRecordingsSilenceIsLimitedToElapsedTime() async throws {
            let archive = StubArchive()
            let (feed, client, generation) = try await started(serverContext(), archive: archive)
            for number in 1...8 {
                if number == 5 {
                    #expect(archive.missingCount == 30 * 16_000)
                    await loop.advanceTime(by: .seconds(20))
                }
                let position = number * 160_000 + 2 * (number - 1)
                await feed.take(.binary(audio([0, 0], at: position)), generation)
            }
            #expect(archive.missingCount == 50 * 16_000 && archive.sampleCount == 16)
            await feed.abandon()
            await client.end()
        }

        @Test func longHotwordsAreRefused() throws {
            let words = String(repeating: "a ", count: 10_000)
            let error = #expect(throws: ServerError.self) { try LiveFeedOptions(["hotwords": .string(words)]) }
            #expect(error?.parameter == "hotwords" && error?.code == "invalid_value")
            let longest = try LiveFeedOptions(["hotwords": .string(String(words.prefix(10_000)))])
            #expect(longest.settings.vocabulary.map(\.count) == [10_000])
        }

        /// A client that turns saving off with a string must not believe that it worked.
        @Test(arguments: ["session", "lastEvent", "model", "language", "hotwords", "task", "speakers", "save"])
        func aFieldOfTheWrongTypeIsRefused(name: String) throws {
            let hello: JSONValue = .object(["type": "hello", name: ["false"]])
            let error = #expect(throws: ServerError.self) { try LiveFeedRequest(.text(hello.text)) }
            #expect(error?.parameter == name && error?.code == "invalid_value")
            let without: JSONValue = .object(["type": "hello", name: .null])
            #expect(try LiveFeedRequest(.text(without.text)) == .hello(session: nil, lastEvent: -1, LiveFeedOptions()))
        }

        @Test func unfetchedTextIsKeptForAMinute() async throws {
            let (feed, _) = try await abandoned(serverContext())
            await loop.advanceTime(by: .seconds(59))
            #expect(!isGone.isCancelled)
            await loop.advanceTime(by: .seconds(2))
            try await waitWhile(!isGone.isCancelled)
            withExtendedLifetime(feed) {}
        }

        /// Two clients continue the same session while the first of them waits for the text so far.
        @Test func aConnectionThatIsReplacedWhileItCatchesUpIsClosed() async throws {
            let feed = try await liveFeed(serverContext(), loop)
            let first = Client(), second = Client()
            // It needs a snapshot, and there is none before the session starts.
            let attaching = Task { await feed.attach(first.connection, after: -2) }
            try await waitWhile(await feed.lifecycle.number == 0)
            let number = await feed.attach(second.connection, after: -1)
            try await feed.start()
            #expect(await attaching.value != number)
            let close = WebSocketClose(4001, "The session continues through another connection.")
            #expect(try await first.sent() == [.close(close)])
            await feed.take(.text(#"{"type": "finish"}"#), number)
            await feed.finished()
            let sent = try await second.sent()
            #expect(try events(sent).first?["type"] == "welcome" && sent.last == .close(.normal))
            await first.end()
            await second.end()
        }

        @Test func aClientThatReturnsGetsNoEventASecondTime() async throws {
            let (feed, _) = try await abandoned(serverContext())
            let client = Client()
            _ = await feed.attach(client.connection, after: 0)
            let sequences = try events(try await client.sent()).compactMap { $0["sequence"]?.integer }
            await client.end()
            #expect(!sequences.isEmpty && !sequences.contains(0))
        }
    }
#endif
