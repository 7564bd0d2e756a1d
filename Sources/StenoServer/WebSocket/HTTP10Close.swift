#if Server
    import NIOCore
    import NIOHTTP1

    /// Ends a connection of HTTP/1.0 after its response: its clients take that for the end of the response.
    ///
    /// Hummingbird does not know the version, so this closes the connection.
    final class HTTP10Close: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias InboundOut = HTTPServerRequestPart

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .head(var head) = unwrapInboundIn(data), head.version == .http1_0 else {
                return context.fireChannelRead(data)
            }
            head.headers.replaceOrAdd(name: "Connection", value: "close")
            context.fireChannelRead(wrapInboundOut(.head(head)))
        }
    }

    @available(*, unavailable)
    extension HTTP10Close: Sendable {}
#endif
