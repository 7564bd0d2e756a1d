#if Server
    import Foundation
    import HTTPTypes
    package import Hummingbird
    import Logging
    package import NIOCore
    import NIOHTTP1
    import StenoCore

    /// Wraps every request: checks access, turns errors into JSON, writes a log line and counts metrics.
    ///
    /// The log has the route, but never the path as sent, a query, text or headers.
    @available(macOS 14, iOS 17, *)
    struct RequestMiddleware: RouterMiddleware {
        typealias Context = ServerRequestContext

        private let server: ServerContext
        private let routes: Routes

        init(server: ServerContext) {
            self.server = server
            routes = Routes(server.configuration.captions)
        }

        func handle(
            _ request: Request, context: ServerRequestContext,
            next: (Request, ServerRequestContext) async throws -> Response
        ) async throws -> Response {
            let start = ContinuousClock.now
            let route = routes.route(of: request.uri.path)
            var response: Response
            do {
                response = try await answer(request, context, route, next)
            } catch let error as HTTPParserError {
                throw error
            } catch {
                response = failure(error, request, context, route)
            }
            addHeaders(&response, request, context)
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            report(response, request, context, route?.name ?? "unmatched", seconds)
            return response
        }

        private func answer(
            _ request: Request, _ context: ServerRequestContext,
            _ route: Route?,
            _ next: (Request, ServerRequestContext) async throws -> Response
        ) async throws -> Response {
            if let name = route?.name, Self.open.contains(name) { return try await next(request, context) }
            let isPreflight =
                request.method == .options && request.headers[.accessControlRequestMethod] != nil
            let isPage = route.map { Routes.page.contains($0.name) } ?? false
            try server.access.check(request.head, needsKey: !isPreflight && !isPage)
            if isPreflight, let route { return preflight(request, route) }
            return try await next(request, context)
        }

        /// The endpoints for load balancers, whose answers contain no personal data.
        private static let open: Set<String> = ["/health", "/ready"]

        // MARK: Errors

        private func failure(
            _ error: any Error, _ request: Request, _ context: ServerRequestContext,
            _ route: Route?
        ) -> Response {
            if error is CancellationError {
                return .error(ServerError(status: 499, message: "The client disconnected.", type: "server_error"))
            }
            if let error = error as? HTTPError, error.status == .notFound {
                return notFound(request, route)
            }
            let shown = ServerError(error)
            if shown.status >= 500, shown.status != 503 {
                // Only the type, because a message could contain a path or text.
                context.logger.error(
                    "request failed", metadata: ["error": "\(Self.kind(of: error))"])
            }
            return .error(shown)
        }

        private static func kind(of error: any Error) -> String {
            (error as? StenoError).map { "\($0.code)" } ?? "\(Swift.type(of: error))"
        }

        private func notFound(
            _ request: Request, _ route: Route?
        ) -> Response {
            guard let route else {
                return .error(
                    .invalid("There is no such path. /openapi.json lists them.", code: "unknown_url", status: 404))
            }
            let methods = Self.list(route.methods)
            var response = Response.error(
                .invalid("This path takes \(methods) only.", code: "method_not_allowed", status: 405))
            response.headers[.allow] = methods
            return response
        }

        // MARK: Headers

        private func preflight(_ request: Request, _ route: Route) -> Response {
            var headers = HTTPFields()
            headers[.accessControlAllowMethods] = Self.list(route.methods)
            headers[.accessControlAllowHeaders] = request.headers[.accessControlRequestHeaders]
            headers[.accessControlMaxAge] = "600"
            return Response(status: .noContent, headers: headers)
        }

        private static func list(_ methods: [HTTPRequest.Method]) -> String {
            methods.map(\.rawValue).joined(separator: ", ")
        }

        private func addHeaders(_ response: inout Response, _ request: Request, _ context: ServerRequestContext) {
            if let name = HTTPField.Name.requestID { response.headers[name] = context.requestID }
            if let origin = server.access.allowedOrigin(of: request.head) {
                response.headers[.accessControlAllowOrigin] = origin
                response.headers[.vary] = "Origin"
            }
            response.headers[.xContentTypeOptions] = "nosniff"
            // The files of the page, which contain no personal data, have headers of their own.
            guard response.headers[.contentSecurityPolicy] == nil else { return }
            response.headers[.cacheControl] = "no-store"
            response.headers[.contentSecurityPolicy] = "default-src 'none'; frame-ancestors 'none'"
            response.headers[.crossOriginResourcePolicy] = "same-origin"
        }

        private func report(
            _ response: Response, _ request: Request, _ context: ServerRequestContext, _ route: String,
            _ seconds: Double
        ) {
            let status = "\(response.status.code)"
            // Clients can make up methods, too.
            let method = Self.methods.contains(request.method) ? request.method.rawValue : "OTHER"
            server.metrics.add(.requests, labels: ["method": method, "route": route, "status": status])
            server.metrics.observe(.requestSeconds, seconds, labels: ["route": route])
            context.logger.log(
                level: Self.open.contains(route) || route == "/metrics" ? .debug : .info, "request",
                metadata: [
                    "method": "\(method)", "route": "\(route)", "status": "\(status)",
                    "seconds": "\(MetricFamily.number((seconds * 1000).rounded() / 1000))",
                ])
        }

        private static let methods: Set<HTTPRequest.Method> = [.get, .post, .put, .delete, .head, .options, .patch]
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

    /// The context of one request: its log, its id, its connection.
    @available(macOS 14, iOS 17, *)
    package struct ServerRequestContext: RequestContext {
        package var coreContext: CoreRequestContextStorage
        /// The connection.
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
#endif
