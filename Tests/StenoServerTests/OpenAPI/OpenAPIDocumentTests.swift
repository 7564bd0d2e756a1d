#if Server
    import Foundation
    import HTTPTypes
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    @Suite("The OpenAPI document")
    struct OpenAPIDocumentTests {
        private var document: [String: Any] {
            (try? JSONSerialization.jsonObject(with: Data(OpenAPIDocument.text.utf8)) as? [String: Any]) ?? [:]
        }

        @Test("It is JSON, has the version and is served")
        func served() async throws {
            #expect(document["openapi"] as? String == "3.1.0")
            try await TestServer.run { server in
                let response = try await server.send(.get("/openapi.json"))
                #expect(response.text == OpenAPIDocument.text)
            }
        }

        @Test("Its paths are the server's with the same methods, but for those of WebSockets")
        func paths() throws {
            let paths = try #require(document["paths"] as? [String: [String: Any]])
            let described = paths.mapValues { Set($0.keys) }
            let served = Routes.all.mapValues { Set($0.map { $0.rawValue.lowercased() }) }
            #expect(described == served.filter { $0.key != "/v1/realtime" })
        }

        @Test("Every reference in it leads somewhere")
        func references() throws {
            let components = try #require(document["components"] as? [String: [String: Any]])
            let pieces = OpenAPIDocument.text.components(separatedBy: "\"$ref\": \"#/components/").dropFirst()
            #expect(pieces.count > 10)
            for piece in pieces {
                let place = piece.prefix { $0 != "\"" }.split(separator: "/").map(String.init)
                #expect(components[place[0]]?[place[1]] != nil, "\(place)")
            }
        }

        @Test("The copy among the documents is the same")
        func copy() throws {
            let root = Fixtures.folder.deletingLastPathComponent().deletingLastPathComponent()
            let file = root.appendingPathComponent("Documentation/openapi.json")
            #expect(try String(contentsOf: file, encoding: .utf8) == OpenAPIDocument.text)
        }
    }
#endif
