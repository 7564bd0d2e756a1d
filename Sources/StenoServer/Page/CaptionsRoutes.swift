#if Server
    import Foundation
    import Hummingbird
    import Steno

    /// The paths of the captions page.
    @available(macOS 14, iOS 17, *)
    struct CaptionsRoutes {
        let server: ServerContext
        let captions: CaptionsOptions
        let page: CaptionsPage
        let connections: ConnectionRegister

        func add(to router: Router<ServerRequestContext>) {
            for path in ["/", "/overlay", "/captions/**"] {
                router.get(RouterPath(path)) { request, _ in try page.response(request) }
            }
            router.get("/v1/steno/captions") { _, _ in Response.json(try await offer()) }
            if let archive = captions.archive {
                HistoryRoutes(archive: archive, connections: connections).add(to: router)
            }
        }

        /// What the page learns about the server.
        private func offer() async throws -> JSONValue {
            [
                "version": .string(StenoVersion.current), "model": .string(server.models.names[0]),
                "language": captions.language.map(JSONValue.string) ?? .null,
                "languages": .array(try await server.models.languages(nil).map(JSONValue.string)),
                "speakers": .bool(captions.speakers != nil),
                "history": .bool(captions.archive != nil),
                "fingerprint": captions.fingerprint.map(JSONValue.string) ?? .null,
            ]
        }
    }
#endif
