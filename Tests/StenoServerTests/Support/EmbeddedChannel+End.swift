#if Server
    import NIOEmbedded

    extension EmbeddedChannel {
        /// Closes the channel and does what waits on its loop; an open one and its pipeline keep each other in memory.
        func end() { _ = try? finish(acceptAlreadyClosed: true) }
    }
#endif
