#if Server
    import NIOCore
    import NIOEmbedded

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
