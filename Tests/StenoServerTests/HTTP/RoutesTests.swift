#if Server
    import Foundation
    import HTTPTypes
    import Steno
    import StenoStore
    import StenoTestSupport
    import Testing

    @testable import StenoServer
    @testable import StenoServerTool

    /// The routes by which requests are logged, refused and described.
    @Suite(.timeLimit(.minutes(15))) struct RoutesTests {
        private let folder = TemporaryFolder.ofSuite()
        private let routes: Routes

        init() throws { routes = try TestServer.routes(hasCaptions: true, hasHistory: true) }

        @Test(
            arguments: [
                ("/health", "/health"), ("/health/", "/health"), ("//health", "/health"), ("/", "/"),
                ("/v1/models/", "/v1/models"), ("/v1/models/base", "/v1/models/{model}"),
                ("/v1/models/openai/whisper/", "/v1/models/{model}"), ("/captions/page.js", "/captions/{file}"),
                ("/captions/locales/de.json", "/captions/{file}"), ("/overlay/", "/overlay"),
                ("/v1/steno/history/", "/v1/steno/history"), ("/v1/steno/history/search", "/v1/steno/history/search"),
                ("/v1/steno/history/1", "/v1/steno/history/{session}"),
                ("/v1/steno/history/1/audio/", "/v1/steno/history/{session}/audio"),
                ("/v1/steno/history/1/summary", "/v1/steno/history/{session}/summary"),
                ("/v1/steno/history/1/other", nil), ("/v1/steno/history/1/audio/2", nil), ("/healthy", nil),
                ("/v1", nil),
            ] as [(String, String?)])
        func extraSlashesDoNotChangeTheRoute(_ path: String, _ name: String?) {
            #expect(routes.route(of: path)?.name == name)
        }

        /// The router serves each route with each of its methods; others get 405.
        @Test func everyRouteIsServed() async throws {
            try await withHistory { server in
                for route in routes.all {
                    let path = route.name.replacing("{session}", with: UUID().uuidString)
                        .replacing("{model}", with: "x").replacing("{file}", with: "x")
                    for method in route.methods {
                        let response = try await server.send(RawRequest(method: method.rawValue, path: path, body: []))
                        #expect(response.status != 405, "\(method) \(route.name)")
                    }
                    let response = try await server.send(RawRequest(method: "PUT", path: path + "/", body: []))
                    #expect(response.status == 405, "\(route.name)")
                }
            }
        }

        @Test(arguments: [
            ("/v1/steno/history/1", "GET, POST, DELETE"), ("/v1/audio/transcriptions", "POST"), ("/v1/models", "GET"),
        ])
        func aPreflightNamesTheMethodsOfItsPath(_ path: String, _ methods: String) async throws {
            try await withHistory { server in
                let response = try await server.send(.preflight(path, for: "DELETE"))
                #expect(response.status == 204)
                #expect(response.headers["access-control-allow-methods"] == methods)
                #expect(response.headers["access-control-allow-origin"] == "https://good.example")
                let other = try await server.send(.preflight("/v1/other", for: "GET"))
                #expect(other.status == 404)
                #expect(other.headers["access-control-allow-methods"] == nil)
            }
        }

        /// Transcripts stay neither in a shared browser's cache nor in another site's frame.
        @Test func responsesAreNeitherCachedNorEmbedded() async throws {
            try await withHistory { server in
                for path in ["/v1/steno/history", "/v1/steno/history/search?q=a", "/v1/models", "/v1/none"] {
                    let headers = try await server.send(.get(path)).headers
                    #expect(headers["cache-control"] == "no-store")
                    #expect(headers["content-security-policy"]?.contains("frame-ancestors 'none'") == true)
                    #expect(headers["cross-origin-resource-policy"] == "same-origin")
                }
                #expect(try await server.send(.get("/")).headers["cache-control"] == "no-cache")
            }
        }

        private func withHistory(_ body: (TestServer) async throws -> Void) async throws {
            let store = try await TranscriptStore.open(folder.url.appendingPathComponent("history"))
            let archive = StoreArchive(
                store: store, keepsAudio: false, summarizer: ExtractiveSummarizer(), onFailure: { _ in })
            let origins = ["https://good.example"]
            try await TestServer.run(archive: archive, configure: { $0.allowedOrigins = origins }) {
                try await body($0)
            }
        }
    }
#endif
