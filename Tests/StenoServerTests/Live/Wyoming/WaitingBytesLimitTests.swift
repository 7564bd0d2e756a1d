#if Server
    import NIOCore
    import NIOEmbedded
    import Testing

    @testable import StenoServer

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
