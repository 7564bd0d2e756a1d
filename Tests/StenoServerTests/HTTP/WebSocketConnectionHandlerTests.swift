#if Server
    import NIOCore
    import NIOEmbedded
    import NIOWebSocket
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    /// The protocol of a connection, on a channel whose clock the test controls.
    @Suite final class WebSocketConnectionHandlerTests {
        private let channel: EmbeddedChannel

        init() throws { channel = try Self.connected([WebSocketConnectionHandler(limits: WebSocketLimits())]) }

        deinit { channel.end() }

        private static func connected(_ handlers: [any ChannelHandler]) throws -> EmbeddedChannel {
            let channel = EmbeddedChannel(handlers: handlers)
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            return channel
        }

        /// A handler with other limits.
        private func handler(_ change: (inout WebSocketLimits) -> Void) -> WebSocketConnectionHandler {
            var limits = WebSocketLimits()
            change(&limits)
            return WebSocketConnectionHandler(limits: limits)
        }

        private func advance(_ seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }

        private func sent() throws -> WebSocketFrame? { try channel.readOutbound(as: WebSocketFrame.self) }

        private func code(_ frame: WebSocketFrame?) -> UInt16? {
            frame.flatMap { $0.opcode == .connectionClose ? $0.data.getInteger(at: $0.data.readerIndex) : nil }
        }

        @Test func messagesGoInAndOut() throws {
            try channel.writeInbound(ClientFrames.text("in"))
            #expect(try channel.readInbound(as: WebSocketMessage.self) == .text("in"))
            try channel.writeOutbound(WebSocketOutput.text("out"))
            let frame = try #require(try sent())
            #expect(frame.opcode == .text && frame.fin && frame.maskKey == nil && String(buffer: frame.data) == "out")
        }

        @Test func aPingIsAnsweredWithItsData() throws {
            try channel.writeInbound(ClientFrames.frame(.ping, [1, 2]))
            let pong = try #require(try sent())
            #expect(pong.opcode == .pong && pong.data == ByteBuffer(bytes: [1, 2]))
        }

        @Test func aClientThatDoesNotReadGetsNoPongs() throws {
            channel.isWritable = false
            for _ in 0..<100 { try channel.writeInbound(ClientFrames.frame(.ping, [1])) }
            #expect(try sent() == nil)
        }

        @Test func theClientsCloseIsAnsweredWithItsCodeAndEndsTheConnection() throws {
            try channel.writeInbound(ClientFrames.close(4001))
            #expect(code(try sent()) == 4001)
            #expect(!channel.isActive)
        }

        @Test func afterTheServersCloseNothingIsSentAndTheClientMayAnswer() throws {
            try channel.writeOutbound(WebSocketOutput.close(WebSocketClose(1001, "bye")))
            #expect(code(try sent()) == 1001)
            #expect(throws: (any Error).self) { try channel.writeOutbound(WebSocketOutput.text("late")) }
            try channel.writeInbound(ClientFrames.text("late"))
            #expect(try channel.readInbound(as: WebSocketMessage.self) == nil)
            #expect(channel.isActive)
            try channel.writeInbound(ClientFrames.close(1001))
            #expect(!channel.isActive)
        }

        @Test func aClientThatDoesNotAnswerTheCloseIsDisconnected() throws {
            try channel.writeOutbound(WebSocketOutput.close(.normal))
            advance(4)
            #expect(channel.isActive)
            advance(2)
            #expect(!channel.isActive)
        }

        @Test func aViolationEndsTheConnectionWithItsReason() throws {
            try channel.writeInbound(ClientFrames.frame(.text, [65], masked: false))
            let frame = try #require(try sent())
            #expect(code(frame) == 1002)
            #expect(
                String(buffer: frame.data.getSlice(at: 2, length: frame.data.readableBytes - 2)!).contains("masked"))
        }

        @Test func aSilentClientIsPingedAndThenDisconnected() throws {
            advance(31)
            #expect(try sent()?.opcode == .ping)
            advance(21)
            #expect(code(try sent()) == 1001)
        }

        @Test func aClientThatAnswersStaysConnected() throws {
            for _ in 0..<60 {
                advance(10)
                while let frame = try sent() {
                    #expect(frame.opcode == .ping)
                    try channel.writeInbound(ClientFrames.frame(.pong, []))
                    channel.read()
                }
            }
            #expect(channel.isActive)
        }

        @Test func aClientWithUnreadMessagesIsNotConsideredSilent() throws {
            // No read follows, as if nobody consumed the messages.
            try channel.writeInbound(ClientFrames.text("unread"))
            advance(120)
            #expect(try sent() == nil && channel.isActive)
            channel.read()
            advance(31)
            #expect(try sent()?.opcode == .ping)
            advance(21)
            #expect(code(try sent()) == 1001)
        }

        @Test func nothingFollowsACloseFrame() throws {
            advance(28)
            try channel.writeOutbound(WebSocketOutput.close(.normal))
            advance(4)
            #expect(code(try sent()) == 1000)
            #expect(try sent() == nil)
        }

        @Test func sessionsHaveAMaximumDuration() throws {
            let channel = try Self.connected([handler { $0.longest = .seconds(10) }])
            defer { channel.end() }
            channel.embeddedEventLoop.advanceTime(by: .seconds(11))
            #expect(code(try channel.readOutbound(as: WebSocketFrame.self)) == 1008)
        }

        @Test func aClientThatNeverReadsIsDisconnectedWhenTooMuchIsQueued() throws {
            let channel = try Self.connected([StuckHandler<WebSocketFrame>(), handler { $0.waitingBytes = 1000 }])
            defer { channel.end() }
            for _ in 0..<10 { channel.write(WebSocketOutput.text(String(repeating: "x", count: 100)), promise: nil) }
            #expect(channel.isActive)
            channel.write(WebSocketOutput.text("x"), promise: nil)
            #expect(!channel.isActive)
        }

        @Test func aClientThatStopsReadingIsDisconnectedAfterAWhile() throws {
            let channel = try Self.connected([StuckHandler<WebSocketFrame>(), handler { _ in }])
            defer { channel.end() }
            channel.write(WebSocketOutput.text("x"), promise: nil)
            channel.embeddedEventLoop.advanceTime(by: .seconds(19))
            #expect(channel.isActive)
            channel.embeddedEventLoop.advanceTime(by: .seconds(2))
            #expect(!channel.isActive)
        }

        @Test func aShutdownIsPassedOn() async throws {
            try await confirmation { shutDown in
                let handler = WebSocketConnectionHandler(limits: WebSocketLimits(), onShutdown: { shutDown() })
                let channel = try Self.connected([handler])
                defer { channel.end() }
                channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
                #expect(channel.isActive)
            }
        }

        /// Random bytes, and valid frames with a few bytes changed, through decoder and handler.
        @Test func malformedFramesOnlyEndTheConnection() throws {
            var random = SplitMix64(seed: 18)
            var limits = WebSocketLimits()
            limits.messageBytes = 4096
            var ended = 0
            for round in 0..<2000 {
                let handler = ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: limits.messageBytes))
                let channel = try Self.connected([handler, WebSocketConnectionHandler(limits: limits)])
                defer { channel.end() }
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
                while let frame = try channel.readOutbound(as: WebSocketFrame.self) {
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
