#if Server
    import StenoCore
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    /// A session without a connection.
    @Suite(.timeLimit(.minutes(10))) struct WyomingSessionTests {
        @Test func aShutdownComesAfterTheAudioThatIsBeingTakenAndThereIsOneTranscript() async throws {
            let model = StartingModel()
            let (stream, sent) = AsyncStream.makeStream(of: WyomingEvent.self)
            let session = WyomingSession(
                serverContext(model: model), send: { sent.yield($0) }, hangUp: { sent.yield(WyomingEvent("hang-up")) })
            let chunk = WyomingEvent(
                "audio-chunk", ["rate": 16000, "width": 2, "channels": 1],
                payload: Array(bytes16(try TestAudio.speech())))
            let taking = Task { await session.take(chunk) }
            await model.starting.wait()
            await session.shutDown()
            model.open()
            await taking.value
            sent.finish()
            var events: [WyomingEvent] = []
            for await event in stream { events.append(event) }
            let texts = events.filter { $0.type == "transcript" }.compactMap { $0.data["text"]?.string }
            #expect(texts.count == 1 && !texts.joined().isEmpty)
            #expect(events.filter { $0.type == "hang-up" }.count == 1 && events.last?.type == "hang-up")
        }
    }
#endif
