#if Server
    package import NIOCore
    package import NIOWebSocket

    /// The protocol of one connection on its event loop: messages in and out, pings, the closing handshake, all limits.
    ///
    /// Any error ends the connection with a close frame that says why. A silent client is sent a ping; one that does
    /// not answer, or stops reading, is disconnected.
    package final class WebSocketConnectionHandler: ChannelDuplexHandler {
        package typealias InboundIn = WebSocketFrame
        package typealias InboundOut = WebSocketMessage
        package typealias OutboundIn = WebSocketOutput
        package typealias OutboundOut = WebSocketFrame

        /// The time a client has to answer a close frame.
        private static let farewell = TimeAmount.seconds(5)

        private let limits: WebSocketLimits
        private let onShutdown: @Sendable () -> Void
        private var firstMessageAction: (() -> Void)?
        private var assembly: WebSocketAssembly
        /// Whether a close frame was sent: nothing follows it.
        private var isClosing = false
        private var waitingBytes = 0
        /// Whether bytes were written since the last check that the client reads.
        private var wroteSomething = false
        private var heardSomething = false
        private var isAsked = false
        /// Whether a read is requested; while messages are unread, none is, and an answer to a ping cannot arrive.
        private var isReading = true
        private var idle: Scheduled<Void>?
        private var stalled: Scheduled<Void>?
        private var lifetime: Scheduled<Void>?
        private var closing: Scheduled<Void>?

        /// - Parameters:
        ///   - onFirstMessage: Called on the first message, before anything after it is decoded.
        ///   - onShutdown: Called when the server shuts down gracefully.
        package init(
            limits: WebSocketLimits, client: WebSocketClient = .admitted, onFirstMessage: @escaping () -> Void = {},
            onShutdown: @escaping @Sendable () -> Void = {}
        ) {
            (self.limits, self.onShutdown) = (limits, onShutdown)
            firstMessageAction = onFirstMessage
            assembly = WebSocketAssembly(limits, client: client)
        }

        package func handlerAdded(context: ChannelHandlerContext) {
            watchIdle(context)
            lifetime = schedule(context, limits.longest) { handler, context in
                handler.close(
                    context, WebSocketClose(1008, "The session lasted as long as the server allows: connect again."))
            }
        }

        package func handlerRemoved(context: ChannelHandlerContext) { cancelAll() }

        package func channelInactive(context: ChannelHandlerContext) {
            cancelAll()
            context.fireChannelInactive()
        }

        // MARK: In

        package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            heardSomething = true
            guard !isClosing || unwrapInboundIn(data).opcode == .connectionClose else { return }
            do {
                switch try assembly.receive(unwrapInboundIn(data)) {
                case .message(let message)?:
                    firstMessageAction?()
                    firstMessageAction = nil
                    context.fireChannelRead(wrapInboundOut(message))
                case .ping(let data)?: answer(context, data)
                case .close(let code)?: closed(context, code)
                case .pong?, nil: break
                }
            } catch { close(context, error) }
        }

        package func read(context: ChannelHandlerContext) {
            isReading = true
            context.read()
        }

        /// After our close frame the reader of messages has stopped, but the client's close frame must still be read.
        package func channelReadComplete(context: ChannelHandlerContext) {
            isReading = false
            if isClosing { read(context: context) }
            context.fireChannelReadComplete()
        }

        package func errorCaught(context: ChannelHandlerContext, error: any Error) {
            switch error {
            case NIOWebSocketError.invalidFrameLength:
                close(context, WebSocketClose(1009, "A message may have at most \(assembly.mostBytes) bytes."))
            case is NIOWebSocketError: close(context, .violation("A control frame is malformed."))
            default: context.close(promise: nil)
            }
        }

        package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            switch event {
            case is ChannelShouldQuiesceEvent: onShutdown()
            case ChannelEvent.inputClosed:
                // A client that has closed its half of the connection cannot take part in the protocol.
                context.close(promise: nil)
            default: context.fireUserInboundEventTriggered(event)
            }
        }

        /// Does not answer a client that is not reading: the answers would pile up.
        private func answer(_ context: ChannelHandlerContext, _ data: ByteBuffer) {
            guard context.channel.isWritable else { return }
            let frame = WebSocketFrame(fin: true, opcode: .pong, data: data)
            context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
        }

        /// Handles the client's close frame: an answer to ours ends the connection, any other is answered first.
        private func closed(_ context: ChannelHandlerContext, _ code: UInt16?) {
            guard !isClosing else { return context.close(promise: nil) }
            close(context, WebSocketClose(code ?? 1000, ""), isAnswer: true)
        }

        // MARK: Out

        package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            guard !isClosing else {
                promise?.fail(ChannelError.outputClosed)
                return
            }
            let frame: WebSocketFrame
            switch unwrapOutboundIn(data) {
            case .text(let text): frame = WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text))
            case .close(let reason):
                close(context, reason)
                promise?.succeed()
                return
            }
            let count = frame.length
            guard waitingBytes + count <= limits.waitingBytes else {
                promise?.fail(ChannelError.outputClosed)
                // There is no room for a close frame either.
                return context.close(promise: nil)
            }
            waitingBytes += count
            let written = context.eventLoop.makePromise(of: Void.self)
            written.futureResult.assumeIsolated().whenComplete { [self] _ in
                waitingBytes -= count
                wroteSomething = true
            }
            written.futureResult.cascade(to: promise)
            context.write(wrapOutboundOut(frame), promise: written)
            watchReader(context)
        }

        /// Sends a close frame; the connection ends with the client's answer, or without it after a while.
        private func close(_ context: ChannelHandlerContext, _ reason: WebSocketClose, isAnswer: Bool = false) {
            guard !isClosing else { return }
            isClosing = true
            let frame = WebSocketFrame(fin: true, opcode: .connectionClose, data: reason.body)
            let written = context.eventLoop.makePromise(of: Void.self)
            let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
            if isAnswer { written.futureResult.whenComplete { _ in bound.value.close(promise: nil) } }
            context.writeAndFlush(wrapOutboundOut(frame), promise: written)
            closing = schedule(context, min(limits.patience, Self.farewell)) { _, context in context.close(promise: nil)
            }
            // This ends the reader of messages, but the answer must still be read.
            context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            read(context: context)
        }

        // MARK: Time

        private func watchIdle(_ context: ChannelHandlerContext) {
            idle = schedule(context, isAsked ? limits.patience : limits.idle) { handler, context in
                // Nothing follows a close frame.
                guard !handler.isClosing else { return }
                defer { handler.heardSomething = false }
                if handler.heardSomething || !handler.isReading {
                    handler.isAsked = false
                } else if handler.isAsked {
                    return handler.close(context, WebSocketClose(1001, "Nothing was heard from the client."))
                } else {
                    handler.isAsked = true
                    let ping = WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer())
                    context.writeAndFlush(handler.wrapOutboundOut(ping), promise: nil)
                }
                handler.watchIdle(context)
            }
        }

        /// Checks, while bytes are queued for the client, that it reads.
        private func watchReader(_ context: ChannelHandlerContext) {
            guard stalled == nil else { return }
            wroteSomething = false
            stalled = schedule(context, limits.patience) { handler, context in
                handler.stalled = nil
                guard handler.waitingBytes > 0 else { return }
                guard handler.wroteSomething else { return context.close(promise: nil) }
                handler.watchReader(context)
            }
        }

        private func schedule(
            _ context: ChannelHandlerContext, _ time: TimeAmount,
            _ body: @escaping (WebSocketConnectionHandler, ChannelHandlerContext) -> Void
        ) -> Scheduled<Void> {
            context.eventLoop.assumeIsolated().scheduleTask(in: time) { [weak self] in
                guard let self, context.channel.isActive else { return }
                body(self, context)
            }
        }

        private func cancelAll() {
            for timer in [idle, stalled, lifetime, closing] { timer?.cancel() }
            (idle, stalled, lifetime, closing) = (nil, nil, nil, nil)
        }
    }
#endif
