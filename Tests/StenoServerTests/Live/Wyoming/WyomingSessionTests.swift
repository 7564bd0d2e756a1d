#if Server
    import NIOCore
    import NIOEmbedded
    import Steno
    import StenoCore
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    /// A session without a connection, while the server shuts down.
    @Suite(.timeLimit(.minutes(15))) struct WyomingSessionTests {
        private let model = StartingModel()
        private let sent = Recorder<WyomingEvent>()
        private let begin = WyomingEvent("transcribe", ["language": "en"]), stop = WyomingEvent("audio-stop")
        private let loop = NIOAsyncTestingEventLoop()

        private func session(_ context: ServerContext? = nil) -> WyomingSession {
            WyomingSession(
                context ?? serverContext(model: model), loop: loop, send: { [sent] in sent.add($0) },
                hangUp: { [sent] in sent.add(WyomingEvent("hang-up")) })
        }

        private func chunk(times: Int = 1) throws -> WyomingEvent {
            let speech = bytes16(try TestAudio.speech())
            return WyomingEvent(
                "audio-chunk", ["rate": 16000, "width": 2, "channels": 1],
                payload: (0..<times).flatMap { _ in speech })
        }

        private func take(_ events: WyomingEvent..., by session: WyomingSession) async {
            for event in events { await session.take(event) }
        }

        private func expectOneTranscriptAndNoError(isOver: Bool = false) {
            let texts = sent.all.filter { $0.type == "transcript" }.compactMap { $0.data["text"]?.string }
            #expect(texts.count == 1 && !texts.joined().isEmpty)
            #expect(!sent.all.contains { $0.type == "error" })
            guard isOver else { return }
            #expect(sent.all.filter { $0.type == "hang-up" }.count == 1 && sent.all.last?.type == "hang-up")
        }

        @Test(arguments: Hearing.allCases)
        func aRecordingThatStartsAtShutdownIsFinished(hearing: Hearing) async throws {
            let model = StartingModel(hearing: hearing)
            let session = session(serverContext(model: model))
            let taking = Task { [chunk = try chunk()] in await session.take(chunk) }
            await model.starting.wait()
            // The client cannot be heard before, so this is not silence.
            await loop.advanceTime(by: .minutes(10))
            #expect(await session.shutDown(), "it is recording, although its model is still loading")
            model.open()
            await taking.value
            #expect(!sent.all.contains { $0.type == "hang-up" })
            await session.take(stop)
            await session.endInput()
            expectOneTranscriptAndNoError(isOver: true)
        }

        @Test(arguments: Hearing.allCases)
        func audioReceivedBeforeShutdownIsTranscribed(hearing: Hearing) async throws {
            let model = StartingModel(hearing: hearing)
            let session = session(serverContext(model: model))
            model.open()
            #expect(await session.shutDown() == false)
            await take(begin, try chunk(), by: session)
            await session.endInput()
            await session.take(try chunk())
            expectOneTranscriptAndNoError(isOver: true)
        }

        /// The model writes one word and then only punctuation, which comes with the end of the utterance.
        @Test func aFullStopAtTheEndOfAnUtteranceIsNotLost() async throws {
            let words = ["one"] + [String](repeating: ".", count: 60)
            let models = ServedModels(names: ["scripted"]) { _ in SecondFamilyModel(words: words, hearing: .streaming) }
            let host = ModelHost(catalog: models, turns: ComputeTurns(), livePace: .fast)
            let session = session(serverContext(models: host))
            await take(begin, try chunk(), stop, by: session)
            let chunks = sent.all.filter { $0.type == "transcript-chunk" }.compactMap { $0.data["text"]?.string }
            let whole = sent.all.first { $0.type == "transcript" }?.data["text"]?.string
            #expect(chunks.first == "one" && chunks.contains { Word.key($0).isEmpty })
            #expect(whole == chunks.joined())
        }

        @Test func eachModelHasItsOwnLanguages() async throws {
            let languages = ["base": ["en", "de", "xx"], "moonshine": ["en"], "fremd.en": ["xx"]]
            let models = ServedModels(
                names: ["base", "moonshine", "fremd.en", "known", "broken"], languages: { $0 == "known" ? ["fr"] : nil }
            ) { name in
                guard let codes = languages[name] else { throw StenoError(.modelDamaged, "Damaged.") }
                return SecondFamilyModel(languages: codes)
            }
            let host = ModelHost(catalog: models, turns: ComputeTurns())
            await session(serverContext(models: host)).take(WyomingEvent("describe"))
            let info = try #require(sent.all.first { $0.type == "info" })
            let offered = try #require(info.data["asr"]?.array?.first?["models"]?.array)
            #expect(offered.map { $0["name"] } == ["base", "moonshine", "fremd.en", "known"])
            #expect(offered.map { $0["languages"] } == [["en", "de", "xx"], ["en"], ["xx"], ["fr"]])
            #expect(await host.leaseCount == 0, "they can be unloaded")
        }

        /// Home Assistant sends the names of all its devices to every model.
        @Test(arguments: Hearing.allCases) func namesThatTheModelCannotTakeAreIgnored(hearing: Hearing) async throws {
            let session = session(serverContext(model: SecondFamilyModel(hearing: hearing, options: [])))
            let names = WyomingEvent("transcribe", ["language": "en", "transcript_names": ["Kitchen lamp"]])
            await take(names, try chunk(), stop, by: session)
            expectOneTranscriptAndNoError()
        }

        /// A message of eight megabytes may be two hours, which are not resampled at once.
        @Test func longAudioIsProcessedSecondBySecond() throws {
            let bytes = [UInt8](repeating: 128, count: 5001)
            let format = try PCMFormat(.uint8, sampleRate: 1000, channels: 2)
            #expect(try format.seconds(of: bytes[1...]).map(\.frameCount) == [1000, 1000, 500])
            #expect(try format.seconds(of: bytes[..<0]).isEmpty)
        }

        /// Messages without audio do not keep the place.
        @Test func aRecordingWithoutAudioEnds() async throws {
            let context = serverContext()
            let session = session(context)
            await session.take(WyomingEvent("audio-start"))
            await loop.advanceTime(by: .minutes(9))
            await session.take(WyomingEvent("ping"))
            #expect(context.admission.load.liveSessions == 1)
            await loop.advanceTime(by: .minutes(1))
            try await waitWhile(context.admission.load.liveSessions > 0 || sent.all.last?.type != "hang-up")
            #expect(sent.all.contains { $0.type == "error" && $0.data["code"] == "timeout" })
        }

        /// The engine accepts ten seconds, and more once it has decoded them.
        @Test(arguments: Hearing.allCases) func processingLongAudioIsNotSilence(hearing: Hearing) async throws {
            let held = try await HeldTurns()
            let session = session(held.context(.fast, hearing: hearing))
            let taking = Task { [chunk = try chunk(times: 2)] in await session.take(chunk) }
            try await waitWhile(held.turns.counts.waitingLive == 0)
            await loop.advanceTime(by: .minutes(10))
            held.release()
            await taking.value
            await session.take(stop)
            expectOneTranscriptAndNoError()
        }

        /// The client waits for its text, and sends nothing more.
        @Test(arguments: Hearing.allCases) func finishingTheTextIsNotSilence(hearing: Hearing) async throws {
            let held = try await HeldTurns()
            let session = session(held.context(hearing: hearing))
            await session.take(try chunk())
            #expect(await session.shutDown())
            let ending = Task { await session.endInput() }
            // From then on no event is processed.
            try await waitWhile(await isAnswered(session))
            await loop.advanceTime(by: .minutes(10))
            held.release()
            await ending.value
            expectOneTranscriptAndNoError(isOver: true)
        }

        private func isAnswered(_ session: WyomingSession) async -> Bool {
            let before = sent.all.count
            await session.take(WyomingEvent("ping"))
            return sent.all.count > before
        }

        /// Without a shutdown, the rest is left to the connection.
        @Test(arguments: [true, false])
        func aSessionWithoutARecordingEndsWithoutATranscript(isShutDown: Bool) async throws {
            let session = session()
            if isShutDown { #expect(await session.shutDown() == false) }
            await session.endInput()
            #expect(sent.all.map(\.type) == (isShutDown ? ["hang-up"] : []))
        }
    }

    @Suite struct WyomingParserTests {
        private func parse(_ bytes: some Sequence<UInt8>) throws -> [WyomingEvent] {
            var parser = WyomingParser(), buffer = ByteBuffer(bytes: bytes), events: [WyomingEvent] = []
            while let event = try parser.next(&buffer) { events.append(event) }
            return events
        }

        private let events = [
            WyomingEvent("describe"), WyomingEvent("transcribe", ["language": "de-DE"]),
            WyomingEvent("audio-chunk", ["rate": 16000, "width": 2, "channels": 1], payload: [10, 13, 0, 255]),
            WyomingEvent("audio-stop", ["timestamp": nil]),
        ]

        @Test func eventsSurviveARoundTrip() throws { #expect(try parse(events.flatMap(\.bytes)) == events) }

        @Test(arguments: [1, 2, 7, 64]) func piecesOfAnySizeAreJoined(_ size: Int) throws {
            let bytes = events.flatMap(\.bytes)
            var parser = WyomingParser(), buffer = ByteBuffer(), read: [WyomingEvent] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                buffer.writeBytes(bytes[start..<min(start + size, bytes.count)])
                while let event = try parser.next(&buffer) { read.append(event) }
            }
            #expect(read == events)
        }

        @Test func dataInTheLineAndAfterItAreJoined() throws {
            let line =
                #"{"type": "x", "data": {"a": 1, "b": 1}, "data_length": 8, "payload_length": null}"# + "\n{\"b\": 2}"
            #expect(try parse(line.utf8) == [WyomingEvent("x", ["a": 1, "b": 2])])
        }

        @Test(arguments: [
            "\n", "[]\n", "{}\n", #"{"type": 1}"# + "\n", #"{"type": "x", "data_length": -1}"# + "\n",
            #"{"type": "x", "data_length": 1.5}"# + "\n", #"{"type": "x", "payload_length": 99999999999}"# + "\n",
            #"{"type": "x", "data_length": 2}"# + "\n[]", #"{"type": "x", "payload_length": "2"}"# + "\n",
        ])
        func malformedMessagesAreErrors(_ text: String) {
            #expect(throws: WyomingParser.Malformed.self) { try parse(text.utf8) }
        }

        @Test func aLineWithoutAnEndIsAnErrorBeforeItFillsTheMemory() {
            #expect(throws: WyomingParser.Malformed.self) { try parse([UInt8](repeating: 32, count: 70_000)) }
        }

        @Test func randomChangesGiveErrorsOrOtherMessages() {
            var random = SplitMix64(seed: 3)
            let bytes = events.flatMap(\.bytes)
            var errors = 0
            let rounds = isLong ? 2000 : 200
            for _ in 0..<rounds {
                var changed = bytes
                for _ in 0..<3 {
                    changed[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
                }
                do { _ = try parse(changed) } catch { errors += 1 }
            }
            #expect(errors > rounds / 4)
        }
    }

    @Suite struct WaitingBytesLimitTests {
        @Test func aClientThatDoesNotReadIsDisconnectedWhenTooMuchIsQueued() throws {
            let stuck = StuckHandler<ByteBuffer>()
            let channel = EmbeddedChannel(handlers: [stuck, WaitingBytesLimit(1000)])
            defer { channel.end() }
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            let piece = ByteBuffer(repeating: 0, count: 100)
            for _ in 0..<10 { channel.write(piece, promise: nil) }
            #expect(channel.isActive)
            stuck.release()
            for _ in 0..<10 { channel.write(piece, promise: nil) }
            #expect(channel.isActive, "what was read does not count")
            channel.write(ByteBuffer(repeating: 0, count: 1), promise: nil)
            #expect(!channel.isActive)
        }
    }
#endif
