#if Server
    import Foundation
    import HTTPTypes
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    @Suite("The OpenAPI document")
    struct OpenAPIDocumentTests {
        /// That of a server which has everything.
        private let whole = OpenAPIDocument(hasCaptions: true, hasHistory: true).text

        private func parsed(_ text: String) throws -> [String: Any] {
            try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        }

        @Test("It is JSON, has the version and is served")
        func served() async throws {
            #expect(try parsed(whole)["openapi"] as? String == "3.1.0")
            try await TestServer.run { server in
                let response = try await server.send(.get("/openapi.json"))
                #expect(response.text == OpenAPIDocument().text && !response.text.contains("/v1/steno/"))
            }
            try await TestServer.run(configure: { $0.captions = CaptionsOptions() }) { server in
                let response = try await server.send(.get("/openapi.json"))
                #expect(response.text == OpenAPIDocument(hasCaptions: true).text)
            }
        }

        @Test(
            "Its paths are the server's with the same methods, but for WebSockets and the files of the page",
            arguments: [(false, false), (false, true), (true, false), (true, true)])
        func paths(_ hasCaptions: Bool, _ hasHistory: Bool) throws {
            let text = OpenAPIDocument(hasCaptions: hasCaptions, hasHistory: hasHistory).text
            let paths = try #require(try parsed(text)["paths"] as? [String: [String: Any]])
            let described = paths.mapValues { Set($0.keys).subtracting(["parameters"]) }
            let routes = Routes(hasCaptions: hasCaptions, hasHistory: hasHistory).all
            let served = Dictionary(
                uniqueKeysWithValues: routes.map { ($0.name, Set($0.methods.map { $0.rawValue.lowercased() })) })
            #expect(described == served.filter { $0.key != "/v1/realtime" && !Routes.page.contains($0.key) })
        }

        @Test("Every operation has a name of its own, and every name in a path is a parameter")
        func operations() throws {
            let paths = try #require(try parsed(whole)["paths"] as? [String: [String: Any]])
            var names: [String] = []
            for (path, item) in paths {
                let operations = item.values.compactMap { $0 as? [String: Any] }
                names += operations.compactMap { $0["operationId"] as? String }
                let given = ([item] + operations).flatMap { $0["parameters"] as? [[String: Any]] ?? [] }
                let inPath = Set(given.filter { $0["in"] as? String == "path" }.compactMap { $0["name"] as? String })
                let needed = path.split(separator: "/").filter { $0.hasPrefix("{") }.map { $0.dropFirst().dropLast() }
                #expect(inPath == Set(needed.map(String.init)), "\(path)")
            }
            #expect(Set(names).count == names.count && names.count >= paths.count)
        }

        @Test("Every reference in it leads somewhere")
        func references() throws {
            let components = try #require(try parsed(whole)["components"] as? [String: [String: Any]])
            let pieces = whole.components(separatedBy: "\"$ref\": \"#/components/").dropFirst()
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
            #expect(try String(contentsOf: file, encoding: .utf8) == whole)
        }
    }
#endif
