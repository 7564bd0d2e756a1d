#if Server
    package import NIOCore

    /// One WebSocket connection as a session sees it: messages in, messages out, an end.
    ///
    /// Sending never waits: a client that leaves more unread than ``WebSocketLimits/waitingBytes`` is disconnected. Its
    /// own messages are read no faster than the session takes them.
    package struct WebSocketConnection: Sendable {
        /// The client's messages, until either side ends the connection.
        package let messages: NIOAsyncChannelInboundStream<WebSocketMessage>
        private let channel: any Channel
        private let shutdown: EventLoopFuture<Void>

        init(
            _ messages: NIOAsyncChannelInboundStream<WebSocketMessage>, _ channel: any Channel,
            shutdown: EventLoopFuture<Void>
        ) { (self.messages, self.channel, self.shutdown) = (messages, channel, shutdown) }

        /// The address of a client on another machine.
        var address: String? { channel.remoteAddress?.foreignHost }
        var loop: any EventLoop { channel.eventLoop }

        /// Sends a message, unless the connection has ended.
        package func send(_ text: String) { channel.writeAndFlush(WebSocketOutput.text(text), promise: nil) }

        /// Ends the connection, after everything that was sent.
        package func close(_ reason: WebSocketClose = .normal) {
            channel.writeAndFlush(WebSocketOutput.close(reason), promise: nil)
        }

        /// Calls a closure when the server begins to shut down gracefully; at once if it has.
        package func onShutdown(_ body: @escaping @Sendable () -> Void) { shutdown.whenSuccess(body) }

        /// Calls a closure when the connection is gone, within the time the system needs to notice.
        package func onClose(_ body: @escaping @Sendable () -> Void) {
            channel.closeFuture.whenComplete { _ in body() }
        }
    }

    /// A whole message from a client, its fragments joined.
    package enum WebSocketMessage: Sendable, Equatable {
        case text(String)
        case binary(ByteBuffer)
    }

    /// Something that a server sends: a message, or the end of the connection.
    package enum WebSocketOutput: Sendable, Equatable {
        case text(String)
        case close(WebSocketClose)
    }

    /// Why a WebSocket connection ends: the code and the reason of its close frame (RFC 6455, 7.4).
    package struct WebSocketClose: Error, Sendable, Hashable {
        package let code: UInt16
        /// A sentence for people; at most 123 bytes of it are sent.
        package let reason: String

        package init(_ code: UInt16, _ reason: String) { (self.code, self.reason) = (code, reason) }

        /// The purpose of the connection is fulfilled.
        package static let normal = WebSocketClose(1000, "")
        package static let goingAway = WebSocketClose(1001, "The server is shutting down.")

        static func violation(_ reason: String) -> WebSocketClose { WebSocketClose(1002, reason) }

        /// The part of the reason that fits into a close frame, in whole characters.
        var body: ByteBuffer {
            var buffer = ByteBuffer()
            buffer.writeInteger(code)
            var text = ""
            for character in reason where text.utf8.count + character.utf8.count <= 123 { text.append(character) }
            buffer.writeString(text)
            return buffer
        }

        /// Whether a client may send the code: one of the standard, of a library or of an application.
        static func isValid(_ code: UInt16) -> Bool {
            switch code {
            case 1000...1003, 1007...1014, 3000...4999: true
            default: false
            }
        }
    }
#endif
