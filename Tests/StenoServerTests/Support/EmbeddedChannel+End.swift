#if Server
    import NIOCore
    import NIOEmbedded

    extension EmbeddedChannel {
        /// Closes the channel and does what waits on its loop; an open one and its pipeline keep each other in memory.
        func end() { _ = try? finish(acceptAlreadyClosed: true) }
    }

    /// Nothing is written before a test lets it, as with a client that does not read.
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
