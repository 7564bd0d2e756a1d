#if Server
    import HTTPTypes
    package import HummingbirdCore
    package import Logging
    package import NIOCore
    import NIOHTTP1
    import NIOHTTPTypes
    import NIOHTTPTypesHTTP1
    import NIOWebSocket

    /// HTTP/1.1 whose first request on a connection may become a WebSocket (RFC 6455, 4.2).
    ///
    /// Any other request goes to the router, as with Hummingbird's `HTTP1Channel`. The decision comes before the
    /// upgrade, so that a client without a key gets an ordinary 401.
    @available(macOS 14, iOS 17, *)
    package struct WebSocketHTTPChannel: HTTPChannelHandler {
        package typealias Route = @Sendable (WebSocketRequest) async -> WebSocketDecision

        package var responder: HTTPChannelHandler.Responder
        private let configuration: HTTP1Channel.Configuration
        private let limits: WebSocketLimits
        private let patience: TimeAmount?
        private let onUpgrade: @Sendable (any Channel) -> Void
        private let route: Route

        /// - Parameters:
        ///   - responder: Answers all requests that are not upgraded.
        ///   - configuration: The limits of plain HTTP.
        ///   - patience: The time for the header of the first request; nil for no limit.
        ///   - onUpgrade: Called with a connection that has become a WebSocket, unless it is a guest's.
        ///   - route: Decides about a request for a WebSocket.
        package init(
            responder: @escaping HTTPChannelHandler.Responder, configuration: HTTP1Channel.Configuration,
            limits: WebSocketLimits, patience: TimeAmount?, onUpgrade: @escaping @Sendable (any Channel) -> Void,
            route: @escaping Route
        ) {
            (self.responder, self.configuration, self.limits) = (responder, configuration, limits)
            (self.patience, self.onUpgrade, self.route) = (patience, onUpgrade, route)
            _ = Self.decoderType
        }

        /// The type of each connection's decoder, instantiated before connections need it on their threads.
        ///
        /// Swift 6.3.1's runtime occasionally crashed in the conformance check of this type (a null superclass in
        /// `swift_checkMetadataState`) if a connection needed it first.
        private static let decoderType = ObjectIdentifier(ByteToMessageHandler<HTTPRequestDecoder>.self)

        /// A connection, whose kind is unknown until its first request.
        package struct Value: ServerChildChannelValue {
            package let channel: any Channel
            fileprivate let negotiated: EventLoopFuture<Negotiated>
        }

        fileprivate enum Negotiated: Sendable {
            case http(NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>, WebSocketRefusal?)
            case webSocket(
                NIOAsyncChannel<WebSocketMessage, WebSocketOutput>, shutdown: EventLoopFuture<Void>,
                run: @Sendable (WebSocketConnection) async -> Void)
        }

        // MARK: Setting up

        /// Prepares the pipeline for the first request.
        package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
            channel.eventLoop.makeCompletedFuture {
                let outcome = channel.eventLoop.makePromise(of: Negotiated.self)
                var limits = NIOHTTPDecoderLimitConfiguration()
                limits.maxHeaderFieldSize = configuration.httpDecoder.maxHeaderFieldSize
                limits.maxHeaderListSize = configuration.httpDecoder.maxHeaderListSize
                limits.maxHeaderFieldCount = configuration.httpDecoder.maxHeaderFieldCount
                let encoder = HTTPResponseEncoder()
                let decoder = ByteToMessageHandler(
                    HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: limits))
                let builders = WebSocketUpgradeHandler<Negotiated>.Builders(
                    decide: route, plain: { .http(try plain($0, logger), $1) }, webSocket: webSocket)
                let pipeline = channel.pipeline.syncOperations
                try pipeline.addHandlers([encoder, decoder])
                try pipeline.addHandler(
                    WebSocketUpgradeHandler(builders, codec: [decoder, encoder], outcome: outcome, patience: patience))
                return Value(channel: channel, negotiated: outcome.futureResult)
            }
        }

        private func webSocket(
            _ channel: any Channel, _ client: WebSocketClient,
            _ run: @escaping @Sendable (WebSocketConnection) async -> Void
        ) throws -> Negotiated {
            if client != .guest { onUpgrade(channel) }
            let decoder = WebSocketDecoder(limits.firstMessageBytes(of: client))
            let shutdown = channel.eventLoop.makePromise(of: Void.self)
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandlers([WebSocketFrameEncoder(), ByteToMessageHandler(decoder)])
            let handler = WebSocketConnectionHandler(
                limits: limits, client: client,
                onFirstMessage: { [limits] in decoder.allow(limits.messageBytes(of: client)) },
                onShutdown: { shutdown.succeed() })
            try pipeline.addHandler(handler)
            // A promise must be completed; a second completion is ignored.
            channel.closeFuture.whenComplete { _ in shutdown.fail(ChannelError.alreadyClosed) }
            let messages = try NIOAsyncChannel<WebSocketMessage, WebSocketOutput>(
                wrappingChannelSynchronously: channel,
                configuration: .init(backPressureStrategy: .init(lowWatermark: 2, highWatermark: 8)))
            return .webSocket(messages, shutdown: shutdown.futureResult, run: run)
        }

        private func plain(
            _ channel: any Channel, _ logger: Logger
        ) throws -> NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart> {
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandlers([HTTP10Close(), HTTP1ToHTTPServerCodec(secure: false)])
            try pipeline.addHandlers(configuration.additionalChannelHandlers())
            try pipeline.addHandler(
                HTTPConnectionStateHandler(idleTimeout: configuration.idleTimeout.map { .init($0) }, logger: logger))
            return try NIOAsyncChannel(
                wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
        }

        // MARK: Running

        /// Runs a connection to its end.
        package func handle(value: Value, logger: Logger) async {
            do {
                switch try await value.negotiated.get() {
                case .http(let channel, nil): await handleHTTP(asyncChannel: channel, logger: logger)
                case .http(let channel, let refusal?):
                    await refusing(refusal).handleHTTP(asyncChannel: channel, logger: logger)
                case .webSocket(let channel, let shutdown, let run):
                    try await channel.executeThenClose { messages, _ in
                        let connection = WebSocketConnection(messages, channel.channel, shutdown: shutdown)
                        await run(connection)
                        connection.close()
                        // The handler makes sure that this is soon.
                        try await channel.channel.closeFuture.get()
                    }
                }
            } catch { logger.trace("The connection ended early: \(error)") }
        }

        private func refusing(_ refusal: WebSocketRefusal) -> Self {
            var copy = self
            copy.responder = { _, writer, channel in
                var headers = refusal.headers
                headers[.contentType] = "application/json"
                headers[.contentLength] = String(refusal.body.utf8.count)
                headers[.connection] = "close"
                try await writer.write(
                    response: HTTPResponse(status: refusal.status, headerFields: headers),
                    body: ResponseBody(byteBuffer: ByteBuffer(string: refusal.body)))
                // Another request on this connection would get the same answer.
                channel.close(mode: .output, promise: nil)
            }
            return copy
        }
    }

    /// Closes an HTTP/1.0 connection after its response, because that is how its client detects the end.
    ///
    /// Hummingbird ignores the version, but closes a connection whose request has the header `Connection: close`.
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
#endif
