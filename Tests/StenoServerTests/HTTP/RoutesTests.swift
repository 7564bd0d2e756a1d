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
            let server = try await withHistory()
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

        @Test func aPreflightNamesTheMethodsOfItsPathAndResponsesAreNeitherCachedNorEmbedded() async throws {
            let server = try await withHistory()
            for (path, methods) in [
                ("/v1/steno/history/1", "GET, POST, DELETE"), ("/v1/audio/transcriptions", "POST"),
                ("/v1/models", "GET"),
            ] {
                let response = try await server.send(.preflight(path, for: "DELETE"))
                #expect(response.status == 204 && response.headers["access-control-allow-methods"] == methods)
                #expect(response.headers["access-control-allow-origin"] == "https://good.example")
            }
            let other = try await server.send(.preflight("/v1/other", for: "GET"))
            #expect(other.status == 404 && other.headers["access-control-allow-methods"] == nil)
            // Transcripts stay neither in a shared browser's cache nor in another site's frame.
            for path in ["/v1/steno/history", "/v1/steno/history/search?q=a", "/v1/models", "/v1/none"] {
                let headers = try await server.send(.get(path)).headers
                #expect(headers["cache-control"] == "no-store")
                #expect(headers["content-security-policy"]?.contains("frame-ancestors 'none'") == true)
                #expect(headers["cross-origin-resource-policy"] == "same-origin")
            }
            #expect(try await server.send(.get("/")).headers["cache-control"] == "no-cache")
        }

        private func withHistory() async throws -> TestServer {
            let store = try await TranscriptStore.open(folder.url.appendingPathComponent("history"))
            let archive = StoreArchive(
                store: store, keepsAudio: false, summarizer: ExtractiveSummarizer(), onFailure: { _ in })
            return try await TestServer.run(archive: archive) { $0.allowedOrigins = ["https://good.example"] }
        }
    }

    @Suite("The OpenAPI document") struct OpenAPIDocumentTests {
        /// The committed file, which describes a server with every feature.
        private let whole: JSONValue

        init() throws { whole = try JSONValue(parsing: Data(contentsOf: ServerResources.url("openapi.json"))) }

        private func text(_ routes: Routes) throws -> String {
            try OpenAPIDocument(paths: routes.all.map(\.name)).text
        }

        private func parsed(_ routes: Routes) throws -> JSONValue { try JSONValue(parsing: text(routes).utf8) }

        @Test func aFullServerServesTheFileAndOthersThePartsTheyHave() async throws {
            #expect(whole["openapi"] == "3.1.0")
            #expect(try parsed(TestServer.routes(hasCaptions: true, hasHistory: true)) == whole)
            let response = try await TestServer.answer(to: .get("/openapi.json"))
            #expect(try response.text == text(TestServer.routes()))
            #expect(!response.text.contains("/v1/steno/") && !response.text.contains("CaptionsOffer"))
            let server = try await TestServer.run { $0.captions = CaptionsOptions() }
            let more = try await server.send(.get("/openapi.json"))
            #expect(try more.text == text(TestServer.routes(hasCaptions: true)))
        }

        @Test(arguments: [(false, false), (false, true), (true, false), (true, true)])
        func itHasThePathsExceptWebSocketsAndThePagesFiles(_ hasCaptions: Bool, _ hasHistory: Bool) throws {
            let routes = try TestServer.routes(hasCaptions: hasCaptions, hasHistory: hasHistory)
            let paths = try #require(try parsed(routes)["paths"]?.object)
            let described = paths.mapValues { Set(($0.object ?? [:]).keys).subtracting(["parameters"]) }
            let served = Dictionary(
                uniqueKeysWithValues: routes.all.filter { $0.name != "/v1/realtime" && $0.audience != .readers }
                    .map { ($0.name, Set($0.methods.map { $0.rawValue.lowercased() })) })
            #expect(described == served)
        }

        @Test func operationIdsAreUniqueAndEveryPathVariableIsAParameter() throws {
            let paths = try #require(whole["paths"]?.object)
            var names: [String] = []
            for (path, item) in paths {
                let operations = (item.object ?? [:]).values.filter { $0.object != nil }
                names += operations.compactMap { $0["operationId"]?.string }
                let given = ([item] + operations).flatMap { $0["parameters"]?.array ?? [] }
                let inPath = Set(given.filter { $0["in"] == "path" }.compactMap { $0["name"]?.string })
                let needed = path.split(separator: "/").filter { $0.hasPrefix("{") }.map { $0.dropFirst().dropLast() }
                #expect(inPath == Set(needed.map(String.init)), "\(path)")
            }
            #expect(Set(names).count == names.count && names.count >= paths.count)
        }

        @Test(arguments: [false, true]) func everyReferenceResolves(_ hasAll: Bool) throws {
            let routes = try TestServer.routes(hasCaptions: hasAll, hasHistory: hasAll)
            let components = try #require(try parsed(routes)["components"])
            let references = try text(routes).matches(of: #/"#\/components\/(\w+)\/(\w+)"/#)
            #expect(references.count > 10)
            for reference in references {
                let (_, kind, name) = reference.output
                #expect(components[String(kind)]?[String(name)]?.object != nil, "\(name)")
            }
        }

        @Test func aSessionCanBeExportedInEveryFormat() {
            let export = whole["paths"]?["/v1/steno/history/{session}/export"]?["get"]
            let format = export?["parameters"]?.array?.first { $0["name"] == "format" }
            let names = format?["schema"]?["enum"]?.array?.compactMap { $0.string }
            #expect(names == TranscriptFormat.allCases.map(\.rawValue))
        }
    }

    struct JSONValueTests {
        private func parse(_ text: String) throws -> JSONValue { try JSONValue(parsing: text.utf8) }

        @Test func everyKindOfValueIsParsed() throws {
            let expected: JSONValue = ["a": [1, .number(-25), 0.5, 0, true, false, .null, "ä\n"], "b": [:], "": []]
            let text = #" {"a": [1, -2.5e+1, 5E-1, 0, true, false, null, "\u00e4\n"], "b": {}, "": []} "#
            #expect(try parse(text) == expected && parse("7") == 7)
        }

        @Test(arguments: [
            "", "{", "[1,]", "[01]", "[.5]", "[1.]", "[+1]", "[1e]", "[-]", "[1e400]", "[NaN]", "[nul]", "[nullx]",
            "{1:2}", "[] []", #"["\#u{1}"]"#,
        ])
        func invalidTextIsRefused(_ text: String) { #expect(throws: (any Error).self) { try parse(text) } }

        @Test func invalidUTF8IsRefused() {
            #expect(throws: (any Error).self) { try JSONValue(parsing: [0x22, 0xFF, 0x22]) }
        }

        /// Both would take many times the usual time and memory for their length.
        @Test func tooManyOrTooDeepValuesAreRefused() throws {
            let ones = [String](repeating: "1", count: JSONValue.mostValues).joined(separator: ",")
            #expect(throws: (any Error).self) { try parse("[\(ones)]") }
            #expect(try parse("[\(ones.dropLast(2))]").array?.count == JSONValue.mostValues - 1)
            func nested(_ depth: Int) -> String {
                String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            }
            #expect(throws: (any Error).self) { try parse(nested(65)) }
            #expect(try parse(nested(64)).array?.count == 1)
        }
    }
#endif
