#if Server
    import HTTPTypes
    import NIOCore
    import NIOHTTPTypes

    /// Watches one connection: how long each phase of a request takes, and whether the client is still there.
    ///
    /// - A request's header must be complete within a limited time after the connection or the last response.
    /// - A body must arrive at a minimum rate, without long pauses.
    /// - A client that does not read its response is disconnected.
    /// - When the client closes its side while a request is being worked on, the connection is closed, which cancels the
    ///   work.
    ///
    /// It is behind the HTTP codec in the pipeline. An upgraded connection never has it.
    final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPRequestPart
        typealias InboundOut = HTTPRequestPart
        typealias OutboundIn = HTTPResponsePart
        typealias OutboundOut = HTTPResponsePart

        /// The size of a body up to which the configured time applies.
        private static let usualBody = 16 << 20
        /// How long the rest of a body is read and dropped after the response, so that the client gets to read the
        /// response.
        private static let lingering = TimeAmount.seconds(5)

        private let times: Times
        private let register: ConnectionRegister
        private var timer: Scheduled<Void>?

        /// Requests whose response has not ended.
        private var requests = 0
        private var isReceiving = false
        private var isEnding = false
        private var received = 0
        private var phaseStart = NIODeadline.now()
        private var lastPart = NIODeadline.now()
        private var stallStart: NIODeadline?
        private var endStart = NIODeadline.now()

        struct Times: Sendable {
            let header: TimeAmount
            let body: TimeAmount
            let idle: TimeAmount

            init(_ timeouts: ServerTimeouts) {
                header = Self.amount(timeouts.header)
                body = Self.amount(timeouts.body)
                idle = Self.amount(timeouts.idle)
            }

            /// The time for a number of seconds, limited to about thirty years so that it fits.
            static func amount(_ seconds: Double) -> TimeAmount {
                .milliseconds(Int64(max(0.001, min(1e9, seconds)) * 1000))
            }
        }

        init(times: Times, register: ConnectionRegister) { (self.times, self.register) = (times, register) }

        func handlerAdded(context: ChannelHandlerContext) {
            phaseStart = context.eventLoop.now
            schedule(context)
        }

        func handlerRemoved(context: ChannelHandlerContext) {
            timer?.cancel()
            timer = nil
        }

        // MARK: Parts

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            lastPart = context.eventLoop.now
            switch unwrapInboundIn(data) {
            case .head(let head):
                requests += 1
                (isReceiving, received, phaseStart) = (true, 0, context.eventLoop.now)
                register.set(.receiving, of: context.channel)
                schedule(context)
                if head.headerFields[.expect]?.lowercased() == "100-continue" {
                    context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
                }
            case .body(let bytes): received += bytes.readableBytes
            case .end:
                isReceiving = false
                register.set(.responding, of: context.channel)
                if isEnding { return context.close(promise: nil) }
                schedule(context)
            }
            // Data sent after the response is read and dropped, so that the client does not wait.
            if !isEnding { context.fireChannelRead(data) }
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            guard case .end = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
            // Hummingbird itself answers invalid requests, whose headers never arrive here.
            requests = max(0, requests - 1)
            // The time of a pipelined request begins with its turn.
            (phaseStart, lastPart) = (context.eventLoop.now, context.eventLoop.now)
            if isReceiving, requests == 0 {
                // The body was refused; without a limit, its rest would be read, however long it is.
                (isEnding, endStart) = (true, context.eventLoop.now)
            } else if requests == 0 {
                register.set(.waiting, of: context.channel)
            }
            schedule(context)
            context.write(data, promise: promise)
        }

        // MARK: The client

        func channelWritabilityChanged(context: ChannelHandlerContext) {
            stallStart = context.channel.isWritable ? nil : context.eventLoop.now
            schedule(context)
            context.fireChannelWritabilityChanged()
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case ChannelEvent.inputClosed? = event as? ChannelEvent, requests > 0 {
                return context.close(promise: nil)
            }
            context.fireUserInboundEventTriggered(event)
        }

        // MARK: Time

        /// When to close the connection unless something happens; nil while the server works.
        private var deadline: NIODeadline? {
            var deadlines: [NIODeadline] = []
            if isEnding {
                deadlines.append(endStart + Self.lingering)
            } else if isReceiving, requests == 1 {
                let share = max(1, Double(received) / Double(Self.usualBody))
                let time = TimeAmount.nanoseconds(Int64(min(1e18, Double(times.body.nanoseconds) * share)))
                deadlines += [phaseStart + time, lastPart + times.idle]
            } else if requests == 0 {
                deadlines.append(phaseStart + times.header)
            }
            if let stallStart { deadlines.append(stallStart + times.idle) }
            return deadlines.min()
        }

        /// Checks again at the deadline, which may have moved by then.
        private func schedule(_ context: ChannelHandlerContext) {
            timer?.cancel()
            timer = nil
            guard let deadline else { return }
            timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { [weak self] in
                self?.check(context)
            }
        }

        private func check(_ context: ChannelHandlerContext) {
            timer = nil
            guard let deadline else { return }
            if deadline <= context.eventLoop.now { context.close(promise: nil) } else { schedule(context) }
        }
    }

    /// The time limits for each phase of a connection, in seconds.
    public struct ServerTimeouts: Sendable, Hashable {
        /// From the connection, or the end of the last response, to the end of a request's header.
        public var header = 20.0
        /// From the header to the end of the body, for up to 16 MiB; larger bodies get proportionally more.
        public var body = 120.0
        /// Between two parts of a body, or while the client does not read the response.
        public var idle = 30.0
        /// Without audio in a live session; after that its place is free for others.
        public var audio = 600.0
        /// For running requests, after the server is asked to stop.
        public var shutdown = 600.0

        /// Creates the default times.
        public init() {}
    }
#endif
