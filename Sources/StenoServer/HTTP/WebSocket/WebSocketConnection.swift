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
        ) {
            self.messages = messages
            self.channel = channel
            self.shutdown = shutdown
        }

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
#endif
