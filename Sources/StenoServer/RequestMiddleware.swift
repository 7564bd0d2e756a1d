#if Server
    import HTTPTypes
    import Hummingbird
    import Logging
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

        init(server: ServerContext, routes: Routes) { (self.server, self.routes) = (server, routes) }

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
            } catch { response = failure(error, context, route) }
            addHeaders(&response, request, context)
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            report(response, request, context, route, seconds)
            return response
        }

        private func answer(
            _ request: Request, _ context: ServerRequestContext, _ route: Route?,
            _ next: (Request, ServerRequestContext) async throws -> Response
        ) async throws -> Response {
            if route?.audience == .everyone { return try await next(request, context) }
            let isPreflight = request.method == .options && request.headers[.accessControlRequestMethod] != nil
            try server.access.check(request.head, needsKey: !isPreflight && route?.audience != .readers)
            if isPreflight, let route { return preflight(request, route) }
            return try await next(request, context)
        }

        // MARK: Errors

        private func failure(_ error: any Error, _ context: ServerRequestContext, _ route: Route?) -> Response {
            if error is CancellationError {
                return .error(ServerError(status: 499, message: "The client disconnected.", type: "server_error"))
            }
            if let error = error as? HTTPError, error.status == .notFound { return notFound(route) }
            let shown = ServerError(error)
            if shown.status >= 500, shown.status != 503 {
                // Only the type, because a message could contain a path or text.
                context.logger.error("request failed", metadata: ["error": "\(Self.kind(of: error))"])
            }
            return .error(shown)
        }

        private static func kind(of error: any Error) -> String {
            (error as? StenoError).map { "\($0.code)" } ?? "\(Swift.type(of: error))"
        }

        private func notFound(_ route: Route?) -> Response {
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
            _ response: Response, _ request: Request, _ context: ServerRequestContext, _ route: Route?,
            _ seconds: Double
        ) {
            let name = route?.name ?? "unmatched"
            let status = "\(response.status.code)"
            // Clients can make up methods, too.
            let method = Self.methods.contains(request.method) ? request.method.rawValue : "OTHER"
            server.metrics.add(.requests, labels: ["method": method, "route": name, "status": status])
            server.metrics.observe(.requestSeconds, seconds, labels: ["route": name])
            context.logger.log(
                level: route?.isRoutine == true ? .debug : .info, "request",
                metadata: [
                    "method": "\(method)", "route": "\(name)", "status": "\(status)",
                    "seconds": "\(MetricFamily.number((seconds * 1000).rounded() / 1000))",
                ])
        }

        private static let methods: Set<HTTPRequest.Method> = [.get, .post, .put, .delete, .head, .options, .patch]
    }
#endif
