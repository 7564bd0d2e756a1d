#if Server
    import NIOCore
    import NIOWebSocket

    /// NIO's decoder with a limit that can grow: it holds a frame until all of it is there.
    final class WebSocketDecoder: ByteToMessageDecoder {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = WebSocketFrame

        private var base: WebSocketFrameDecoder

        /// - Parameter bytes: The longest frame.
        init(_ bytes: Int) { base = WebSocketFrameDecoder(maxFrameSize: bytes) }

        /// Sets the longest of the frames to come; only while a frame is passed on, which leaves nothing behind.
        func allow(_ bytes: Int) { base = WebSocketFrameDecoder(maxFrameSize: bytes) }

        func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
            try base.decode(context: context, buffer: &buffer)
        }
    }

    @available(*, unavailable)
    extension WebSocketDecoder: Sendable {}
#endif
