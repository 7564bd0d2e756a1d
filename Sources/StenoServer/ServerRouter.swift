#if Server
    import Foundation
    import Hummingbird
    import StenoCore

    /// Builds the server's table of routes, and the router from it.
    @available(macOS 14, iOS 17, *)
    struct ServerRouter: Sendable {
        let server: ServerContext
        let configuration: SpeechServer.Configuration
        let connections: ConnectionRegister
        let realtime: RealtimeEndpoint
        let uploads: UploadBudget
        private let memory = UploadBudget(limit: KnownSpeakers.memoryLimit)

        /// All routes, with the files that they serve in memory.
        ///
        /// - Throws: `StenoError.resourceMissing` when a file was not installed with the program.
        func routes() throws -> Routes {
            var all = StatusEndpoint(server: server, connections: connections).routes
            all += ModelsEndpoint(models: server.models, started: Int(Date().timeIntervalSince1970)).routes
            all += [speech("/v1/audio/transcriptions", .transcribe), speech("/v1/audio/translations", .translate)]
            all += realtime.tokens.routes
            if let captions = configuration.captions {
                all += try CaptionsRoutes(
                    models: server.models, captions: captions, page: CaptionsPage(), connections: connections
                ).routes
            }
            let document = Data(try OpenAPIDocument(paths: all.map(\.name) + [OpenAPIDocument.path]).text.utf8)
            let description: Route.Handler = { _, _ in .data(document, type: "application/json") }
            return Routes(all + [Route(OpenAPIDocument.path, [.get: description])])
        }

        /// - Throws: As ``routes()``.
        func router() throws -> Router<ServerRequestContext> {
            let routes = try routes()
            let router = Router(context: ServerRequestContext.self, options: [.autoGenerateHeadEndpoints])
            router.add(middleware: RequestMiddleware(server: server, routes: routes))
            for route in routes.all { route.add(to: router) }
            return router
        }

        private func speech(_ path: String, _ task: TranscriptionTask) -> Route {
            let endpoint = SpeechEndpoint(
                server: server, connections: connections, maximumUpload: configuration.maximumUpload,
                uploads: uploads, memory: memory, task: task)
            return Route(path, [.post: { try await endpoint.respond($0, $1) }])
        }
    }
#endif
