#if Server
    import Foundation
    import NIOCore
    import NIOEmbedded
    import Steno
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    /// Realtime sessions whose clock a test sets.
    @Suite(.timeLimit(.minutes(15))) struct RealtimeSilenceTests {
        /// A client whose audio waits for the memory of an engine is no silent one.
        @Test(arguments: SecondFamilyModel.Hearing.allCases)
        func theTimeInWhichAnEventIsPerformedIsNoSilence(hearing: SecondFamilyModel.Hearing) async throws {
            let model = StartingModel(hearing: hearing), channel = NIOAsyncTestingChannel()
            let (messages, client) = NIOAsyncChannelInboundStream<WebSocketMessage>.makeTestingStream()
            let shutdown = channel.eventLoop.makePromise(of: Void.self)
            let session = RealtimeSession(
                WebSocketConnection(messages, channel, shutdown: shutdown.futureResult), serverContext(model: model),
                RealtimeProtocol(id: "s"))
            let running = Task { await session.run() }
            let input: JSONValue = ["format": ["type": "audio/pcm", "rate": 16000], "turn_detection": nil]
            let update: JSONValue = [
                "type": "session.update", "session": ["type": "transcription", "audio": ["input": input]],
            ]
            let audio = JSONValue.string(bytes16(try TestAudio.speech()).base64EncodedString())
            let append: JSONValue = ["type": "input_audio_buffer.append", "audio": audio]
            client.yield(.text(update.text))
            client.yield(.text(append.text))
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
    }
#endif
