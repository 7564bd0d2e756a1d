#if Server
    import Logging
    import NIOCore
    import NIOPosix
    import ServiceLifecycle
    import StenoCore

    /// Home Assistant's Wyoming protocol on its own port.
    package struct WyomingServer: Service {
        private let context: ServerContext
        private let host: String
        private let port: Int
        private let onRunning: @Sendable (Int) -> Void
        private let connections: ConnectionRegister

        /// - Parameters:
        ///   - port: The port; 0 picks a free one.
        ///   - onRunning: Called with the port when clients can connect.
        package init(
            _ context: ServerContext, host: String, port: Int, onRunning: @escaping @Sendable (Int) -> Void = { _ in }
        ) {
            (self.context, self.host, self.port, self.onRunning) = (context, host, port, onRunning)
            connections = ConnectionRegister(limit: context.maximumConnections)
        }

        private typealias Client = NIOAsyncChannel<ByteBuffer, ByteBuffer>

        /// A client that sends nothing for this long is disconnected.
        private static let patience = TimeAmount.minutes(10)
        /// The most bytes that may be queued for a client that does not read.
        private static let waitingBytes = 1 << 20

        /// Serves until the task is cancelled or the service is asked to shut down.
        ///
        /// A shutdown lets recordings finish within `grace`; longer ones are transcribed up to that point.
        package func run() async throws {
            let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(host: host, port: port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        connections.add(channel)
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.addHandler(IdleStateHandler(readTimeout: Self.patience))
                        try pipeline.addHandlers([IdleClose(), WaitingBytesLimit(Self.waitingBytes)])
                        return try Client(wrappingChannelSynchronously: channel)
                    }
                }
            onRunning(server.channel.localAddress?.port ?? port)
            await withGracefulShutdownHandler {
                await withTaskCancellationHandler {
                    await withDiscardingTaskGroup { group in
                        // One of the two handlers closes the listening socket, which ends the sequence.
                        try? await server.executeThenClose { clients in
                            for try await client in clients { group.addTask { await serve(client) } }
                        }
                    }
                } onCancel: {
                    server.channel.close(promise: nil)
                }
            } onGracefulShutdown: {
                server.channel.close(promise: nil)
            }
        }

        private func serve(_ client: Client) async {
            let channel = client.channel
            let session = WyomingSession(
                context, address: channel.remoteAddress?.foreignHost, loop: channel.eventLoop,
                send: { channel.writeAndFlush(ByteBuffer(bytes: $0.bytes), promise: nil) },
                hangUp: { channel.eventLoop.execute { channel.close(promise: nil) } })
            let work = Task {
                try? await client.executeThenClose { bytes, _ in
                    var parser = WyomingParser()
                    var buffer = ByteBuffer()
                    var isRecording = false
                    for try await piece in bytes {
                        buffer.writeImmutableBuffer(piece)
                        while let event = try parser.next(&buffer) { await take(event, session, channel, &isRecording) }
                        buffer.discardReadBytes()
                    }
                    await session.endInput()
                }
            }
            channel.closeFuture.whenComplete { _ in work.cancel() }
            await withGracefulShutdownHandler {
                await work.childValue
            } onGracefulShutdown: {
                Task {
                    // Data that has arrived is still processed: it may contain the first words of a recording.
                    let time = await session.shutDown() ? grace : .zero
                    channel.eventLoop.scheduleTask(in: time) {
                        // Ends the input but keeps the socket open: if it were shut down for reading, Linux would
                        // report the connection as closed, and the transcript could no longer be sent.
                        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
                    }
                }
            }
            await session.cancel()
        }

        /// How long a recording may continue after the server was asked to stop, leaving time for the sessions that end
        /// next.
        private var grace: TimeAmount {
            ConnectionGuard.Times.amount(min(context.timeouts.idle, context.timeouts.shutdown / 2))
        }

        /// Handles a message; the connection of a client that records is not closed when there are too many.
        private func take(
            _ event: WyomingEvent, _ session: WyomingSession, _ channel: any Channel, _ isRecording: inout Bool
        ) async {
            // Before the audio is handled, because its model may have to be loaded first.
            if event.isAudio, !isRecording {
                isRecording = true
                connections.set(.responding, of: channel)
            }
            await session.take(event)
            let records = await session.isRecording
            if isRecording, !records { connections.set(.waiting, of: channel) }
            isRecording = records
        }
    }

    /// Closes a connection that has been idle for too long.
    private final class IdleClose: ChannelInboundHandler {
        typealias InboundIn = Any

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if event is IdleStateHandler.IdleStateEvent { return context.close(promise: nil) }
            context.fireUserInboundEventTriggered(event)
        }
    }

    /// Limits the bytes queued for a client that does not read, and then closes its connection.
    final class WaitingBytesLimit: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let limit: Int
        private var waiting = 0

        /// - Parameter limit: The most bytes that may be queued.
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
#endif
