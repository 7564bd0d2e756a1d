#if Server
    import NIOCore
    import NIOEmbedded
    import NIOWebSocket

    /// Frames as a client sends them: masked, unless a test wants them otherwise.
    enum ClientFrames {
        static let key: WebSocketMaskingKey = [0x11, 0xA2, 0x37, 0xF4]

        static func frame(
            _ opcode: WebSocketOpcode, _ bytes: some Sequence<UInt8>, fin: Bool = true, masked: Bool = true,
            rsv1: Bool = false
        ) -> WebSocketFrame {
            var data = ByteBuffer(bytes: bytes)
            if masked { data.webSocketMask(key) }
            return WebSocketFrame(fin: fin, rsv1: rsv1, opcode: opcode, maskKey: masked ? key : nil, data: data)
        }

        static func text(_ text: String, fin: Bool = true) -> WebSocketFrame { frame(.text, text.utf8, fin: fin) }

        static func close(_ code: UInt16?, _ reason: String = "") -> WebSocketFrame {
            frame(.connectionClose, (code.map { [UInt8($0 >> 8), UInt8($0 & 255)] } ?? []) + reason.utf8)
        }

        /// The bytes on the wire.
        static func bytes(_ opcode: UInt8, _ payload: [UInt8], fin: Bool = true, masked: Bool = true) -> [UInt8] {
            var bytes: [UInt8] = [(fin ? 0x80 : 0) | opcode]
            let mask: UInt8 = masked ? 0x80 : 0
            switch payload.count {
            case ...125: bytes.append(mask | UInt8(payload.count))
            case ...65_535: bytes += [mask | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
            default:
                bytes.append(mask | 127)
                bytes += (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
            }
            guard masked else { return bytes + payload }
            return bytes + key + payload.enumerated().map { $1 ^ key[$0 % 4] }
        }

        /// A live session's audio message, as bytes on the wire.
        static func audio(_ samples: some Collection<Float>, at position: Int) -> [UInt8] {
            let head = (0..<8).map { UInt8(truncatingIfNeeded: position >> (8 * $0)) }
            return bytes(2, head + bytes16(Array(samples)))
        }
    }

    extension EmbeddedChannel {
        /// Closes the channel and runs its pending tasks; an open channel and its pipeline retain each other.
        func end() { _ = try? finish(acceptAlreadyClosed: true) }
    }

    /// Holds all writes until a test releases them, like a client that does not read.
    final class StuckHandler<OutboundIn>: ChannelOutboundHandler {
        private var promises: [EventLoopPromise<Void>?] = []

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            promises.append(promise)
        }

        func handlerRemoved(context: ChannelHandlerContext) { release() }

        func release() {
            for promise in promises { promise?.succeed(()) }
            promises = []
        }
    }
#endif
