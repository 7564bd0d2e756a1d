#if Server
    import NIOCore

    /// Ends a connection whose client does not read: what waits for it has a limit.
    final class WaitingBytesLimit: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let limit: Int
        private var waiting = 0

        /// - Parameter limit: The most bytes that may wait.
        init(_ limit: Int) { self.limit = limit }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            let count = unwrapOutboundIn(data).readableBytes
            guard waiting + count <= limit else {
                promise?.fail(ChannelError.outputClosed)
                return context.close(promise: nil)
            }
            waiting += count
            let written = context.eventLoop.makePromise(of: Void.self)
            written.futureResult.assumeIsolated().whenComplete { [self] _ in waiting -= count }
            written.futureResult.cascade(to: promise)
            context.write(data, promise: written)
        }
    }

    @available(*, unavailable)
    extension WaitingBytesLimit: Sendable {}
#endif
