#if Server
    import Foundation
    import HTTPTypes

    /// Decides which WebSocket requests the server's HTTP channel accepts.
    package struct RealtimeEndpoint: Sendable {
        private let context: ServerContext
        /// The tokens that `POST /v1/realtime/client_secrets` issues.
        package let tokens = EphemeralTokens()

        /// The sessions of `/v1/steno/live`.
        let feeds: LiveFeeds

        package init(_ context: ServerContext, captions: CaptionsOptions? = nil) {
            self.context = context
            feeds = LiveFeeds(context, captions: captions)
        }

        /// Decides about a WebSocket request: checks the client, the model and the free places.
        package func decide(_ request: WebSocketRequest) async -> WebSocketDecision {
            guard [Self.path, Self.feedPath].contains(request.path) else { return .pass }
            do throws(ServerError) {
                if request.path == Self.feedPath { return try feed(request) }
                let given = try authorized(request)
                let query = request.query
                var configuration = given ?? RealtimeConfiguration()
                if configuration.model == nil { configuration.model = query["model"].flatMap { $0.isEmpty ? nil : $0 } }
                _ = try context.models.resolve(configuration.model)
                let ticket = try context.admitLive(from: request.address)
                let dialect: RealtimeProtocol.Dialect = request.asksForBeta ? .beta : .current
                let proto = RealtimeProtocol(
                    id: EphemeralTokens.random(16), configuration: configuration, dialect: dialect)
                return .accept(subprotocol: request.agreed(on: ["realtime"])) { [context] connection in
                    await RealtimeSession(connection, context, proto).run()
                    ticket.release()
                }
            } catch { return .refuse(WebSocketRefusal(error)) }
        }

        /// Lets in clients without a key, who can read along if they have the name of a screen; refuses a wrong key.
        private func feed(_ request: WebSocketRequest) throws(ServerError) -> WebSocketDecision {
            let isGuest = context.access.needsKeys && AccessPolicy.key(of: request.head).isEmpty
            try context.access.check(request.head, needsKey: !isGuest)
            let client: WebSocketClient = isGuest ? .guest : .asking
            return .accept(subprotocol: request.agreed(on: ["realtime"]), client: client) { [feeds] in
                await feeds.run($0, isGuest: isGuest)
            }
        }

        /// The configuration of an ephemeral token, if the request has one; it opens realtime sessions only.
        private func authorized(_ request: WebSocketRequest) throws(ServerError) -> RealtimeConfiguration? {
            let given = tokens.configuration(AccessPolicy.key(of: request.head))
            try context.access.check(request.head, needsKey: given == nil)
            return given
        }

        static let path = "/v1/realtime"
        private static let feedPath = "/v1/steno/live"
    }

    extension WebSocketRequest {
        fileprivate var asksForBeta: Bool {
            let header = HTTPField.Name.openAIBeta.flatMap { head.headerFields[$0] } ?? ""
            return header.contains("realtime=v1") || head.subprotocols.contains("openai-beta.realtime-v1")
        }
    }

    extension WebSocketRefusal {
        init(_ error: ServerError) {
            var headers = HTTPFields()
            if let seconds = error.retryAfter { headers[.retryAfter] = String(seconds) }
            self.init(HTTPResponse.Status(code: error.status), headers: headers, body: error.body.text)
        }
    }
#endif
