#if Server
    import Crypto
    import Foundation
    import HTTPTypes
    import NIOCore
    import NIOHTTP1

    /// Waits for a connection's first request, and makes the connection a WebSocket or plain HTTP (RFC 6455, 4.2).
    ///
    /// NIO's own upgrade handler drops the head of a request that it does not upgrade; here the router gets it. While the
    /// decision is being made nothing is read, so that no client can send ahead.
    final class WebSocketUpgradeHandler<Outcome: Sendable>: ChannelDuplexHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundIn = Any
        typealias OutboundOut = HTTPServerResponsePart

        /// Closures that decide the kind of a connection and add the handlers of that kind.
        struct Builders {
            let decide: @Sendable (WebSocketRequest) async -> WebSocketDecision
            let plain: (any Channel, WebSocketRefusal?) throws -> Outcome
            let webSocket:
                (any Channel, WebSocketClient, @escaping @Sendable (WebSocketConnection) async -> Void) throws ->
                    Outcome
        }

        private enum State { case waiting, deciding, upgrading, done }

        private let builders: Builders
        private let codec: [any RemovableChannelHandler]
        private let outcome: EventLoopPromise<Outcome>
        private let patience: TimeAmount?
        private var state = State.waiting
        private var unread: [NIOAny] = []
        private var wantsToRead = false
        private var deadline: Scheduled<Void>?

        /// - Parameters:
        ///   - codec: The HTTP handlers, which a WebSocket does not need: the decoder first.
        ///   - outcome: The kind of the connection; fails if it ends first.
        ///   - patience: The time for the first request; nil for no limit.
        init(
            _ builders: Builders, codec: [any RemovableChannelHandler], outcome: EventLoopPromise<Outcome>,
            patience: TimeAmount?
        ) { (self.builders, self.codec, self.outcome, self.patience) = (builders, codec, outcome, patience) }

        func handlerAdded(context: ChannelHandlerContext) {
            guard let patience else { return }
            deadline = context.eventLoop.assumeIsolated().scheduleTask(in: patience) { context.close(promise: nil) }
        }

        func handlerRemoved(context: ChannelHandlerContext) {
            deadline?.cancel()
            if state != .done { outcome.fail(ChannelError.alreadyClosed) }
            state = .done
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if event is ChannelShouldQuiesceEvent, state != .done { return context.close(promise: nil) }
            if case ChannelEvent.inputClosed? = event as? ChannelEvent, state != .done {
                return context.close(promise: nil)
            }
            context.fireUserInboundEventTriggered(event)
        }

        func read(context: ChannelHandlerContext) {
            switch state {
            case .waiting, .done: context.read()
            case .deciding, .upgrading: wantsToRead = true
            }
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch state {
            case .done: context.fireChannelRead(data)
            case .deciding, .upgrading: unread.append(data)
            case .waiting:
                unread.append(data)
                guard case .head(let head) = unwrapInboundIn(data), let key = head.webSocketKey else {
                    return become(context) { try builders.plain($0, nil) }
                }
                ask(context, head, key)
            }
        }

        /// Data that is not HTTP is answered here, because no other handler has seen a request.
        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            guard state == .waiting, error is HTTPParserError else { return context.fireErrorCaught(error) }
            let head = HTTPResponseHead(
                version: .http1_1, status: .badRequest, headers: ["Connection": "close", "Content-Length": "0"])
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            context.close(promise: nil)
        }

        // MARK: The decision

        private func ask(_ context: ChannelHandlerContext, _ head: HTTPRequestHead, _ key: String) {
            state = .deciding
            let request = WebSocketRequest(
                head: HTTPRequest(upgrading: head), address: context.remoteAddress?.foreignHost)
            context.eventLoop.makeFutureWithTask { [decide = builders.decide] in await decide(request) }
                .assumeIsolated().whenSuccess { decision in
                    guard self.state == .deciding else { return }
                    switch decision {
                    case .accept(let subprotocol, let client, let run):
                        self.upgrade(context, key, subprotocol) { try self.builders.webSocket($0, client, run) }
                    case .refuse(let refusal): self.become(context) { try self.builders.plain($0, refusal) }
                    case .pass: self.become(context) { try self.builders.plain($0, nil) }
                    }
                }
        }

        private func upgrade(
            _ context: ChannelHandlerContext, _ key: String, _ subprotocol: String?,
            _ build: @escaping (any Channel) throws -> Outcome
        ) {
            state = .upgrading
            // Only the request was decoded; the bytes after it arrive when the decoder is removed.
            unread = []
            var headers: HTTPHeaders = [
                "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Accept": Self.answer(to: key),
            ]
            if let subprotocol { headers.add(name: "Sec-WebSocket-Protocol", value: subprotocol) }
            let head = HTTPResponseHead(version: .http1_1, status: .switchingProtocols, headers: headers)
            context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
            let pipeline = context.pipeline.syncOperations
            let removals = codec.map { pipeline.removeHandler($0) }
            EventLoopFuture.andAllSucceed(removals, on: context.eventLoop).assumeIsolated().whenComplete { _ in
                guard self.state == .upgrading else { return }
                self.become(context, build)
            }
        }

        /// Adds the handlers of the kind, passes them what has been read, and leaves the pipeline.
        private func become(_ context: ChannelHandlerContext, _ build: (any Channel) throws -> Outcome) {
            deadline?.cancel()
            state = .done
            do { outcome.succeed(try build(context.channel)) } catch {
                outcome.fail(error)
                return context.close(promise: nil)
            }
            for data in unread { context.fireChannelRead(data) }
            if !unread.isEmpty { context.fireChannelReadComplete() }
            unread = []
            if wantsToRead { context.read() }
            context.pipeline.syncOperations.removeHandler(self, promise: nil)
        }

        /// The proof that the server understood: the key with the standard's suffix, hashed.
        private static func answer(to key: String) -> String {
            Data(Insecure.SHA1.hash(data: Data((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)))
                .base64EncodedString()
        }
    }

    extension HTTPRequestHead {
        /// The key of a request for a WebSocket; nil for any other request, including a malformed one.
        fileprivate var webSocketKey: String? {
            let keys = headers["sec-websocket-key"]
            guard method == .GET, version == .http1_1, headers[canonicalForm: "upgrade"].contains(name: "websocket"),
                headers[canonicalForm: "connection"].contains(name: "upgrade"),
                headers["sec-websocket-version"] == ["13"], keys.count == 1, Data(base64Encoded: keys[0])?.count == 16,
                headers["transfer-encoding"].isEmpty, headers["content-length"].allSatisfy({ $0 == "0" })
            else { return nil }
            return keys[0]
        }
    }

    extension Array<Substring> {
        fileprivate func contains(name: String) -> Bool { contains { $0.lowercased() == name } }
    }

    extension HTTPRequest {
        /// The request of an upgrade, with `Host` as its authority.
        fileprivate init(upgrading head: HTTPRequestHead) {
            var fields = HTTPFields()
            for (name, value) in head.headers where name.lowercased() != "host" {
                if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
            }
            let hosts = head.headers["host"]
            self.init(
                method: .get, scheme: "http", authority: hosts.count == 1 ? hosts[0] : nil, path: head.uri,
                headerFields: fields)
        }
    }
#endif
