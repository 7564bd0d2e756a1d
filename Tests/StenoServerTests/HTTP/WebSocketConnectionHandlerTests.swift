#if Server
    import NIOCore
    import NIOEmbedded
    import NIOWebSocket
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    /// The protocol of a connection, on a channel whose clock the test controls.
    @Suite struct WebSocketConnectionHandlerTests {
        /// What the client sends (`<`), the server sends (`>`) or happens, each followed by all that comes out.
        private static let scripts: KeyValuePairs<String, String> = [
            "messages go in and out": "<text in, message in, >text out, text out",
            "a ping is answered with its data": "<ping 12, pong 12",
            "a client that does not read gets no pongs": "full, <ping 12, <ping 12",
            "the client's close is answered with its code": "<close 4001, close 4001, ended",
            "after the server's close nothing is sent and the client may answer":
                ">close 1001 bye, close 1001 bye, >text late, refused, <text late, <close 1001, ended",
            "a client that does not answer the close is disconnected":
                ">close 1000, close 1000, wait 4, wait 2, ended",
            "a violation ends the connection with its reason":
                "<unmasked, close 1002 Frames of a client must be masked.",
            "a silent client is pinged, then disconnected": "wait 31, ping, wait 21, close 1001 \(silence)",
            "a client that answers stays connected":
                "wait 31, " + String(repeating: "ping, <pong, read, wait 50, ", count: 10) + "ping",
            // No read follows, as if nobody consumed the messages.
            "a client with unread messages is not considered silent":
                "<text in, message in, wait 120, read, wait 31, ping, wait 21, close 1001 \(silence)",
            "nothing follows a close frame": "wait 28, >close 1000, close 1000, wait 4",
            "sessions have a maximum duration":
                "<text in, message in, wait 3601, "
                + "close 1008 The session lasted as long as the server allows: connect again.",
            "a client that never reads is disconnected when too much is queued":
                "stuck, " + String(repeating: ">text " + String(repeating: "x", count: 100) + ", ", count: 10)
                + ">text x, refused, ended",
            "a client that stops reading is disconnected after a while": "stuck, >text x, wait 19, wait 2, ended",
            "a shutdown is passed on": "shutdown, shutting down",
        ]
        private static let silence = "Nothing was heard from the client."

        @Test(arguments: scripts) func aConnectionFollowsItsScript(rule: String, script: String) throws {
            let record = Recorder<String>()
            var limits = WebSocketLimits()
            (limits.longest, limits.waitingBytes) = (.hours(1), 1000)
            let channel = try Self.connected([
                WebSocketConnectionHandler(limits: limits, onShutdown: { record.add("shutting down") })
            ])
            defer { channel.end() }
            func send(_ output: WebSocketOutput) {
                channel.writeAndFlush(output).whenFailure { _ in record.add("refused") }
            }
            try channel.play(script, record) { step, value in
                switch step {
                case "<text": try channel.writeInbound(ClientFrames.text(value))
                case "<unmasked": try channel.writeInbound(ClientFrames.frame(.text, [65], masked: false))
                case "<ping": try channel.writeInbound(ClientFrames.frame(.ping, value.utf8))
                case "<pong": try channel.writeInbound(ClientFrames.frame(.pong, []))
                case "<close": try channel.writeInbound(ClientFrames.close(UInt16(value)))
                case ">text": send(.text(value))
                case ">close": send(.close(WebSocketClose(UInt16(value.prefix(4)) ?? 0, String(value.dropFirst(5)))))
                case "read": channel.read()
                case "shutdown": channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
                case "stuck":
                    try channel.pipeline.syncOperations.addHandler(StuckHandler<WebSocketFrame>(), position: .first)
                default: Issue.record("\(step) is unknown.")
                }
            } output: {
                while let frame = try channel.readOutbound(as: WebSocketFrame.self) { record.add(Self.text(frame)) }
                while case .text(let text)? = try channel.readInbound(as: WebSocketMessage.self) {
                    record.add("message \(text)")
                }
            }
            #expect(record.all.joined(separator: ", ") == script, "\(rule)")
        }

        /// A frame as a script has it: what it is, a close frame's code, and its data.
        private static func text(_ frame: WebSocketFrame) -> String {
            let names: [WebSocketOpcode: String] = [
                .text: "text", .ping: "ping", .pong: "pong", .connectionClose: "close",
            ]
            let name = frame.fin && frame.maskKey == nil ? names[frame.opcode] : nil
            var data = frame.data
            let code = code(frame).map { " \($0)" } ?? ""
            data.moveReaderIndex(forwardBy: code.isEmpty ? 0 : 2)
            return (name ?? "a wrong frame") + code + (data.readableBytes > 0 ? " " : "") + String(buffer: data)
        }

        private static func connected(_ handlers: [any ChannelHandler]) throws -> EmbeddedChannel {
            let channel = EmbeddedChannel(handlers: handlers)
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            return channel
        }

        private static func code(_ frame: WebSocketFrame) -> UInt16? {
            frame.opcode == .connectionClose ? frame.data.getInteger(at: frame.data.readerIndex) : nil
        }

        /// Random bytes, and valid frames with a few bytes changed, through decoder and handler.
        @Test func malformedFramesOnlyEndTheConnection() throws {
            var random = SplitMix64(seed: 18)
            var limits = WebSocketLimits()
            limits.messageBytes = 4096
            var ended = 0
            let rounds = isLong ? 2000 : 200
            for round in 0..<rounds {
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
                    if let code = Self.code(frame) {
                        ended += 1
                        #expect(WebSocketClose.isValid(code))
                    }
                }
            }
            // Most of these are malformed.
            #expect(ended > (isLong ? 1300 : 100))
        }
    }
#endif
