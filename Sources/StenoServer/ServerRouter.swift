#if Server
    import Foundation
    import Hummingbird
    import StenoCore

    /// Builds the server's router.
    @available(macOS 14, iOS 17, *)
    struct ServerRouter {
        let server: ServerContext
        let connections: ConnectionRegister
        let uploads: UploadBudget
        let realtime: RealtimeEndpoint
        private let memory = UploadBudget(limit: KnownSpeakers.memoryLimit)

        /// The router, with the files that it serves in memory.
        ///
        /// - Throws: `StenoError.resourceMissing` when a file was not installed with the program.
        func router() throws -> Router<ServerRequestContext> {
            let router = Router(context: ServerRequestContext.self, options: [.autoGenerateHeadEndpoints])
            router.add(middleware: RequestMiddleware(server: server))
            let status = StatusEndpoint(server: server, connections: connections)
            router.get("/health") { _, _ in status.health() }
            router.get("/ready") { _, _ in await status.ready() }
            router.get("/metrics") { _, _ in await status.metrics() }
            let document = try OpenAPIDocument(Routes(server.configuration.captions)).text
            router.get("/openapi.json") { _, _ in Response.data(Data(document.utf8), type: "application/json") }
            let models = ModelsEndpoint(models: server.models, started: Int(Date().timeIntervalSince1970))
            router.get("/v1/models") { _, _ in models.list() }
            router.get("/v1/models/**") { _, context in try models.model(context) }
            RealtimeTokenRoutes(tokens: realtime.tokens).add(to: router)
            add("/v1/audio/transcriptions", .transcribe, to: router)
            add("/v1/audio/translations", .translate, to: router)
            if let captions = server.configuration.captions {
                try CaptionsRoutes(
                    server: server, captions: captions, page: CaptionsPage(), connections: connections
                ).add(to: router)
            }
            return router
        }

        private func add(_ path: RouterPath, _ task: TranscriptionTask, to router: Router<ServerRequestContext>) {
            let endpoint = SpeechEndpoint(
                server: server, connections: connections, uploads: uploads, memory: memory, task: task)
            router.post(path) { request, context in try await endpoint.respond(request, context) }
        }
    }
#endif
