#if Server
    import Foundation
    package import NIOCore
    package import NIOWebSocket

    /// Joins a client's frames into messages, and refuses what RFC 6455 forbids; keeps only the message in progress.
    package struct WebSocketAssembly {
        package enum Event: Equatable {
            case message(WebSocketMessage)
            case ping(ByteBuffer)
            case pong
            /// The client ends the connection; nil if it gave no code.
            case close(UInt16?)
        }

        private let limits: WebSocketLimits
        private let client: WebSocketClient
        /// The maximum size of the next message, in bytes.
        private(set) var mostBytes: Int
        private var opcode: WebSocketOpcode?
        private var bytes = ByteBuffer()
        private var fragments = 0

        package init(_ limits: WebSocketLimits, client: WebSocketClient = .admitted) {
            (self.limits, self.client) = (limits, client)
            mostBytes = limits.firstMessageBytes(of: client)
        }

        /// Takes the next frame; nil while a message is incomplete.
        ///
        /// - Throws: The reason why the connection has to end.
        package mutating func receive(_ frame: WebSocketFrame) throws(WebSocketClose) -> Event? {
            guard frame.maskKey != nil else { throw .violation("Frames of a client must be masked.") }
            guard !frame.rsv1, !frame.rsv2, !frame.rsv3 else {
                throw .violation("No extension was agreed on, so the reserved bits must be 0.")
            }
            switch frame.opcode {
            case .ping, .pong, .connectionClose: return try control(frame)
            case .text, .binary:
                guard opcode == nil else { throw .violation("A message began before the previous one had ended.") }
                opcode = frame.opcode
            case .continuation:
                guard opcode != nil else { throw .violation("There is no message to continue.") }
            default: throw .violation("The opcode is reserved.")
            }
            return try add(frame)
        }

        private mutating func control(_ frame: WebSocketFrame) throws(WebSocketClose) -> Event {
            var data = frame.unmaskedData
            guard frame.fin, data.readableBytes <= 125 else {
                throw .violation("A control frame must be whole and have no more than 125 bytes.")
            }
            if frame.opcode == .ping { return .ping(data) }
            if frame.opcode == .pong { return .pong }
            guard data.readableBytes > 0 else { return .close(nil) }
            guard let code = data.readInteger(as: UInt16.self), WebSocketClose.isValid(code),
                String(bytes: data.readableBytesView, encoding: .utf8) != nil
            else { throw .violation("The close frame is malformed.") }
            return .close(code)
        }

        private mutating func add(_ frame: WebSocketFrame) throws(WebSocketClose) -> Event? {
            fragments += 1
            guard bytes.readableBytes + frame.length <= mostBytes else {
                throw WebSocketClose(1009, "A message may have at most \(mostBytes) bytes: send less at a time.")
            }
            guard fragments <= limits.fragments else {
                throw WebSocketClose(1008, "A message may have at most \(limits.fragments) fragments.")
            }
            var data = frame.unmaskedData
            if fragments == 1, frame.fin { bytes = data } else { bytes.writeBuffer(&data) }
            guard frame.fin else { return nil }
            defer { (opcode, bytes, fragments, mostBytes) = (nil, ByteBuffer(), 0, limits.messageBytes(of: client)) }
            guard opcode == .text else { return .message(.binary(bytes)) }
            guard let text = String(bytes: bytes.readableBytesView, encoding: .utf8) else {
                throw WebSocketClose(1007, "A text message must be UTF-8.")
            }
            return .message(.text(text))
        }
    }

    /// NIO's decoder with an adjustable limit, because it buffers each frame until it is complete.
    final class WebSocketDecoder: ByteToMessageDecoder {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = WebSocketFrame

        private var base: WebSocketFrameDecoder

        /// - Parameter bytes: The maximum size of a frame.
        init(_ bytes: Int) { base = WebSocketFrameDecoder(maxFrameSize: bytes) }

        /// Sets the maximum size of later frames; call it only while a frame is delivered, when the decoder holds no
        /// bytes.
        func allow(_ bytes: Int) { base = WebSocketFrameDecoder(maxFrameSize: bytes) }

        func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
            try base.decode(context: context, buffer: &buffer)
        }
    }
#endif
