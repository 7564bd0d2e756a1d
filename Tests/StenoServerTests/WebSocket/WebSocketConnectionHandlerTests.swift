#if Server
    import NIOCore
    import NIOEmbedded
    import NIOWebSocket
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    /// The protocol of a connection, on a channel whose time the test moves.
    @Suite struct WebSocketConnectionHandlerTests {
        private func channel(
            _ limits: WebSocketLimits = WebSocketLimits(), onShutdown: @escaping @Sendable () -> Void = {}
        ) throws -> EmbeddedChannel {
            let channel = EmbeddedChannel(handler: WebSocketConnectionHandler(limits: limits, onShutdown: onShutdown))
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            return channel
        }

        private func sent(_ channel: EmbeddedChannel) throws -> WebSocketFrame? {
            try channel.readOutbound(as: WebSocketFrame.self)
        }

        private func code(_ frame: WebSocketFrame?) -> UInt16? {
            frame.flatMap { $0.opcode == .connectionClose ? $0.data.getInteger(at: $0.data.readerIndex) : nil }
        }

        @Test func messagesGoInAndOut() throws {
            let channel = try channel()
            defer { channel.end() }
            try channel.writeInbound(ClientFrames.text("in"))
            #expect(try channel.readInbound(as: WebSocketMessage.self) == .text("in"))
            try channel.writeOutbound(WebSocketOutput.text("out"))
            let frame = try #require(try sent(channel))
            #expect(frame.opcode == .text && frame.fin && frame.maskKey == nil && String(buffer: frame.data) == "out")
        }

        @Test func aPingIsAnsweredWithItsData() throws {
            let channel = try channel()
            defer { channel.end() }
            try channel.writeInbound(ClientFrames.frame(.ping, [1, 2]))
            let pong = try #require(try sent(channel))
            #expect(pong.opcode == .pong && pong.data == ByteBuffer(bytes: [1, 2]))
        }

        @Test func pingsOfAClientThatDoesNotReadAreNotAnswered() throws {
            let channel = try channel()
            defer { channel.end() }
            channel.isWritable = false
            for _ in 0..<100 { try channel.writeInbound(ClientFrames.frame(.ping, [1])) }
            #expect(try sent(channel) == nil)
        }

        @Test func theClientsCloseIsAnsweredWithItsCodeAndEndsTheConnection() throws {
            let channel = try channel()
            defer { channel.end() }
            try channel.writeInbound(ClientFrames.close(4001))
            #expect(code(try sent(channel)) == 4001)
            #expect(!channel.isActive)
        }

        @Test func afterTheServersCloseNothingIsSentAndTheClientMayAnswer() throws {
            let channel = try channel()
            defer { channel.end() }
            try channel.writeOutbound(WebSocketOutput.close(WebSocketClose(1001, "bye")))
            #expect(code(try sent(channel)) == 1001)
            #expect(throws: (any Error).self) { try channel.writeOutbound(WebSocketOutput.text("late")) }
            try channel.writeInbound(ClientFrames.text("late"))
            #expect(try channel.readInbound(as: WebSocketMessage.self) == nil)
            #expect(channel.isActive)
            try channel.writeInbound(ClientFrames.close(1001))
            #expect(!channel.isActive)
        }

        @Test func aClientThatDoesNotAnswerTheCloseIsDisconnected() throws {
            let channel = try channel()
            defer { channel.end() }
            try channel.writeOutbound(WebSocketOutput.close(.normal))
            channel.embeddedEventLoop.advanceTime(by: .seconds(4))
            #expect(channel.isActive)
            channel.embeddedEventLoop.advanceTime(by: .seconds(2))
            #expect(!channel.isActive)
        }

        @Test func aViolationEndsTheConnectionWithItsReason() throws {
            let channel = try channel()
            defer { channel.end() }
            try channel.writeInbound(ClientFrames.frame(.text, [65], masked: false))
            let frame = try #require(try sent(channel))
            #expect(code(frame) == 1002)
            #expect(
                String(buffer: frame.data.getSlice(at: 2, length: frame.data.readableBytes - 2)!).contains("masked"))
        }

        @Test func aSilentClientIsAskedAndThenDisconnected() throws {
            let channel = try channel()
            defer { channel.end() }
            channel.embeddedEventLoop.advanceTime(by: .seconds(31))
            #expect(try sent(channel)?.opcode == .ping)
            channel.embeddedEventLoop.advanceTime(by: .seconds(21))
            #expect(code(try sent(channel)) == 1001)
        }

        @Test func aClientThatAnswersStaysConnected() throws {
            let channel = try channel()
            defer { channel.end() }
            for _ in 0..<60 {
                channel.embeddedEventLoop.advanceTime(by: .seconds(10))
                while let frame = try sent(channel) {
                    #expect(frame.opcode == .ping)
                    try channel.writeInbound(ClientFrames.frame(.pong, []))
                    channel.read()
                }
            }
            #expect(channel.isActive)
        }

        @Test func aClientWhoseMessagesAreUnreadIsNotTakenForASilentOne() throws {
            let channel = try channel()
            defer { channel.end() }
            // No read follows, as when nobody takes the messages.
            try channel.writeInbound(ClientFrames.text("unread"))
            channel.embeddedEventLoop.advanceTime(by: .seconds(120))
            #expect(try sent(channel) == nil && channel.isActive)
            channel.read()
            channel.embeddedEventLoop.advanceTime(by: .seconds(31))
            #expect(try sent(channel)?.opcode == .ping)
            channel.embeddedEventLoop.advanceTime(by: .seconds(21))
            #expect(code(try sent(channel)) == 1001)
        }

        @Test func nothingFollowsACloseFrame() throws {
            let channel = try channel()
            defer { channel.end() }
            channel.embeddedEventLoop.advanceTime(by: .seconds(28))
            try channel.writeOutbound(WebSocketOutput.close(.normal))
            channel.embeddedEventLoop.advanceTime(by: .seconds(4))
            #expect(code(try sent(channel)) == 1000)
            #expect(try sent(channel) == nil)
        }

        @Test func aSessionHasALongestDuration() throws {
            var limits = WebSocketLimits()
            limits.longest = .seconds(10)
            let channel = try channel(limits)
            defer { channel.end() }
            channel.embeddedEventLoop.advanceTime(by: .seconds(11))
            #expect(code(try sent(channel)) == 1008)
        }

        /// A channel on which nothing is ever written, as with a client that does not read.
        private final class Stuck: ChannelOutboundHandler {
            typealias OutboundIn = WebSocketFrame
            var promises: [EventLoopPromise<Void>?] = []

            func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
                promises.append(promise)
            }
            func handlerRemoved(context: ChannelHandlerContext) {
                for promise in promises { promise?.fail(ChannelError.eof) }
            }
        }

        @Test func aClientThatNeverReadsIsDisconnectedWhenTooMuchWaits() throws {
            var limits = WebSocketLimits()
            limits.waitingBytes = 1000
            let channel = EmbeddedChannel(handlers: [Stuck(), WebSocketConnectionHandler(limits: limits)])
            defer { channel.end() }
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            for _ in 0..<10 { channel.write(WebSocketOutput.text(String(repeating: "x", count: 100)), promise: nil) }
            #expect(channel.isActive)
            channel.write(WebSocketOutput.text("x"), promise: nil)
            #expect(!channel.isActive)
        }

        @Test func aClientThatStopsReadingIsDisconnectedAfterAWhile() throws {
            let channel = EmbeddedChannel(handlers: [Stuck(), WebSocketConnectionHandler(limits: WebSocketLimits())])
            defer { channel.end() }
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            channel.write(WebSocketOutput.text("x"), promise: nil)
            channel.embeddedEventLoop.advanceTime(by: .seconds(19))
            #expect(channel.isActive)
            channel.embeddedEventLoop.advanceTime(by: .seconds(2))
            #expect(!channel.isActive)
        }

        @Test func aShutdownIsPassedOn() async throws {
            try await confirmation { shutDown in
                let channel = try channel { shutDown() }
                defer { channel.end() }
                channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
                #expect(channel.isActive)
            }
        }

        /// Random bytes, and valid frames with a few bytes changed, through decoder and handler.
        @Test func malformedFramesEndTheConnectionAndNothingElse() throws {
            var random = SplitMix64(seed: 18)
            var limits = WebSocketLimits()
            limits.messageBytes = 4096
            var ended = 0
            for round in 0..<2000 {
                let handler = ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: limits.messageBytes))
                let channel = EmbeddedChannel(handlers: [handler, WebSocketConnectionHandler(limits: limits)])
                defer { channel.end() }
                try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
                var bytes: [UInt8] = []
                for _ in 0..<4 {
                    let payload = (0..<Int(random.next() % 200)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
                    bytes += ClientFrames.bytes(
                        UInt8(random.next() % 16), payload, fin: random.next() % 4 > 0, masked: random.next() % 8 > 0)
                }
                for _ in 0..<(round % 4) {
                    bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
                }
                while !bytes.isEmpty, channel.isActive {
                    let count = min(bytes.count, 1 + Int(random.next() % 64))
                    _ = try? channel.writeInbound(ByteBuffer(bytes: bytes.prefix(count)))
                    bytes.removeFirst(count)
                }
                while let frame = try sent(channel) {
                    #expect(frame.maskKey == nil && [.connectionClose, .pong].contains(frame.opcode))
                    if let code = code(frame) {
                        ended += 1
                        #expect(WebSocketClose.isValid(code))
                    }
                }
                _ = try? channel.finish(acceptAlreadyClosed: true)
            }
            #expect(ended > 1300, "most of these are malformed")
        }
    }
#endif
