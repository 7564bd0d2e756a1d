#if Server
    import Foundation
    import HTTPTypes
    package import Hummingbird
    import Logging
    package import NIOCore

    /// A path of the server: who may ask for it, its methods, and what answers them.
    @available(macOS 14, iOS 17, *)
    struct Route: Sendable {
        typealias Handler = @Sendable (Request, ServerRequestContext) async throws -> Response

        enum Audience: Sendable {
            /// Load balancers, whose requests are not checked: the answers contain no personal data.
            case everyone
            /// Readers of the captions page, whose files need no key; the requests that they make do.
            case readers
            case clients
        }

        /// The path, with a name in braces where it varies: `/v1/models/{model}`.
        let name: String
        let audience: Audience
        /// Whether the last part of the path may contain `/`, as the names of models do.
        let isOpen: Bool
        /// Whether programs ask for it all the time, which nobody wants to read in a log.
        let isRoutine: Bool
        /// Whether HEAD is refused, because it would cost as much as GET; otherwise GET answers it.
        let refusesHead: Bool
        private let handlers: KeyValuePairs<HTTPRequest.Method, Handler>

        init(
            _ name: String, for audience: Audience = .clients, isOpen: Bool = false, isRoutine: Bool = false,
            refusesHead: Bool = false, _ handlers: KeyValuePairs<HTTPRequest.Method, Handler>
        ) {
            (self.name, self.audience, self.isOpen) = (name, audience, isOpen)
            (self.isRoutine, self.refusesHead, self.handlers) = (isRoutine, refusesHead, handlers)
        }

        var methods: [HTTPRequest.Method] { handlers.map(\.key) }

        func add(to router: Router<ServerRequestContext>) {
            let parents = name.split(separator: "/").dropLast()
            let path = RouterPath(isOpen ? "/" + (parents + ["**"]).joined(separator: "/") : name)
            for (method, handler) in handlers { router.on(path, method: method, use: handler) }
            // Without this route the router would answer HEAD by GET; the middleware turns the error into a 405.
            if refusesHead { router.head(path) { _, _ -> Response in throw HTTPError(.notFound) } }
        }
    }

    /// The one table of a server's paths: for the router, access, 405 responses, preflights, the log, the metrics and the
    /// OpenAPI document.
    @available(macOS 14, iOS 17, *)
    struct Routes: Sendable {
        /// All routes; requests to WebSocket paths arrive here only if they are not upgrades.
        let all: [Route]
        private let byName: [String: Route]
        private let templates: [(parts: [Substring], route: Route)]

        init(_ all: [Route]) {
            self.all = all
            byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
            templates = all.filter { $0.name.contains("{") }.map { ($0.name.split(separator: "/"), $0) }
        }

        /// The route of a path; nil if there is none.
        ///
        /// Like the router, it ignores trailing and repeated slashes.
        func route(of path: String) -> Route? {
            let parts = path.split(separator: "/")
            return byName["/" + parts.joined(separator: "/")] ?? templates.first { Self.fits(parts, $0) }?.route
        }

        private static func fits(_ parts: [Substring], _ template: (parts: [Substring], route: Route)) -> Bool {
            let expected = template.parts
            guard parts.count == expected.count || parts.count > expected.count && template.route.isOpen else {
                return false
            }
            return zip(parts, expected).allSatisfy { $0 == $1 || $1.hasPrefix("{") }
        }
    }

    /// The context of one request: its log, its id, its connection.
    @available(macOS 14, iOS 17, *)
    package struct ServerRequestContext: RequestContext {
        package var coreContext: CoreRequestContextStorage
        package let channel: any Channel
        /// The id of the request in the log and the response.
        package let requestID: String

        package init(source: ApplicationRequestContextSource) {
            coreContext = CoreRequestContextStorage(source: source)
            channel = source.channel
            // A log that keeps no metadata has no id; Hummingbird's own `id` would crash then.
            requestID = source.logger[metadataKey: "hb.request.id"]?.description ?? "\(RequestID())"
        }
    }

    @available(macOS 14, iOS 17, *)
    extension Response {
        static func error(_ error: ServerError) -> Response {
            var response = Response.json(error.body, status: HTTPResponse.Status(code: error.status))
            if let seconds = error.retryAfter { response.headers[.retryAfter] = String(seconds) }
            if error.status == 401 { response.headers[.wwwAuthenticate] = "Bearer" }
            return response
        }

        static func json(_ value: JSONValue, status: HTTPResponse.Status = .ok) -> Response {
            .data(Data(value.text.utf8), type: "application/json", status: status)
        }

        static func data(_ data: Data, type: String, status: HTTPResponse.Status = .ok) -> Response {
            Response(
                status: status, headers: [.contentType: type, .contentLength: String(data.count)],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
        }
    }
#endif
