#if Server
    import Foundation
    import NIOCore
    import Testing

    @testable import StenoServer

    @Suite("Access control") struct AccessTests {
        /// A proxy may have checked the other one of two (RFC 9112, 3.2).
        @Test func dnsRebindingAndTwoHostsGetNoAnswer() async throws {
            let server = try await TestServer.run()
            var request = RawRequest.get("/v1/models")
            for host in ["evil.example", "", "a b"] {
                request.host = host
                let response = try await server.send(request)
                #expect([400, 421].contains(response.status))
            }
            request.host = "LOCALHOST:1"
            #expect(try await server.send(request).status == 200)
            for second in ["evil.example", "127.0.0.1:\(server.port)"] {
                let response = try await server.send(.get("/v1/models", headers: [("Host", second)]))
                #expect(response.status == 400 && response.error["code"] as? String == "invalid_host")
            }
        }

        @Test func otherOriginsAreRefusedUnlessTheyAreAllowed() async throws {
            let server = try await TestServer.run { $0.allowedOrigins = ["https://good.example"] }
            for (origin, status) in [
                ("https://evil.example", 403), ("null", 403), ("http://127.0.0.1:\(server.port)", 200),
            ] {
                let response = try await server.send(.get("/v1/models", headers: [("Origin", origin)]))
                #expect(response.status == status, "\(origin)")
            }
            let allowed = try await server.send(.get("/v1/models", headers: [("Origin", "https://good.example")]))
            #expect(allowed.headers["access-control-allow-origin"] == "https://good.example")
            // Otherwise a cache may give it to a page of another origin.
            #expect(allowed.headers["vary"] == "Origin")
            let refused = try await server.send(.upload(headers: [("Origin", "https://evil.example")]))
            #expect(refused.status == 403 && refused.headers["access-control-allow-origin"] == nil)
        }

        /// Browsers send no Origin then, and the page could time the answer.
        @Test func crossSiteRequestsWithoutCORSAreRefused() async throws {
            let server = try await TestServer.run {
                $0.allowedOrigins = ["https://good.example"]
                $0.captions = CaptionsOptions()
            }
            let sites = [("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200)]
            let paths = ["/v1/models", "/v1//models/", "/v1/models?q=1"]
            // The last one is a link to the page.
            let others = [("//v1/models", "cross-site", 403), ("/", "cross-site", 200)]
            for (path, site, status) in paths.flatMap({ path in sites.map { (path, $0.0, $0.1) } }) + others {
                let response = try await server.send(.get(path, headers: [("Sec-Fetch-Site", site)]))
                #expect(response.status == status, "\(path) \(site)")
            }
            let good = [("Sec-Fetch-Site", "cross-site"), ("Origin", "https://good.example")]
            #expect(try await server.send(.get("/v1/models", headers: good)).status == 200)
        }

        @Test func thePreflightOfAnAllowedOriginIsAnsweredEvenWithoutTheKey() async throws {
            let server = try await TestServer.run {
                $0.allowedOrigins = ["https://good.example"]
                $0.apiKeys = ["0123456789abcdef"]
            }
            let path = "/v1/audio/transcriptions", headers = "authorization, x-stainless-lang"
            let response = try await server.send(.preflight(path, for: "POST", with: headers))
            #expect(response.status == 204 && response.headers["access-control-allow-headers"] == headers)
            let evil = RawRequest.preflight(path, from: "https://evil.example", for: "POST", with: headers)
            #expect(try await server.send(evil).status == 403)
        }

        @Test func withoutAKeyOnlyHealthAndReadyAnswer() async throws {
            let server = try await TestServer.run { $0.apiKeys = ["first-key-16-long", "second-key-16-long"] }
            for path in ["/v1/models", "/metrics", "/openapi.json", "/nothing"] {
                let response = try await server.send(.get(path))
                #expect(response.status == 401 && response.headers["www-authenticate"] == "Bearer")
                #expect(response.error["code"] as? String == "invalid_api_key")
            }
            #expect(try await server.send(.upload()).status == 401)
            for key in ["", "first-key-16-lon", "first-key-16-longer", "FIRST-KEY-16-LONG"] {
                let headers = [("Authorization", "Bearer \(key)")]
                #expect(try await server.send(.get("/v1/models", headers: headers)).status == 401)
            }
            let headers = [("authorization", "bearer second-key-16-long")]
            #expect(try await server.send(.get("/v1/models", headers: headers)).status == 200)
            #expect(try await server.send(.get("/health")).status == 200)
            #expect(try await server.send(.get("/ready")).status == 200)
        }
    }

    @Suite("Hosts and keys") struct SecurityTests {
        @Test(arguments: [
            ("Example.COM:8080", "example.com", false), ("127.0.0.1", "127.0.0.1", true), ("[::1]:80", "::1", true),
            ("localhost:", "localhost", false), ("1.2.3", "1.2.3", false),
        ])
        func theNameInHostIsReadWithoutItsPort(_ text: String, _ name: String, _ isAddress: Bool) {
            let host = HostName(authority: text)
            #expect(host?.name == name && host?.isAddress == isAddress)
        }

        @Test(arguments: ["", ":80", "a b", "a:b", "a:99999", "[::1", "[nothing]", "a/b", "a@b", "ä.example", "[::1]x"])
        func invalidHostsAreRefused(_ text: String) { #expect(HostName(authority: text) == nil) }

        @Test func aKeyMatchesOnlyItself() {
            let keys = APIKeys(["one", "two"])
            #expect(keys.contains("one") && keys.contains("two"))
            for other in ["", "on", "onee", "One", "onetwo"] { #expect(!keys.contains(other)) }
            #expect(!APIKeys([]).contains(""))
        }
    }

    /// Which connections count as those of one client.
    struct ForeignHostTests {
        @Test(arguments: [
            ("192.0.2.7", "192.0.2.7"), ("::ffff:192.0.2.7", "192.0.2.7"), ("fe80::1:2", "fe80::1:2"),
            ("2001:db8:1:20:aa::1", "2001:db8:1:20::/64"), ("2001:db8:1:20::ffff:2", "2001:db8:1:20::/64"),
            ("2001:db8:1:21::2", "2001:db8:1:21::/64"), ("::2", "0:0:0:0::/64"),
        ])
        func anotherMachineIsAnAddressOrANetwork(address: String, client: String) throws {
            #expect(try SocketAddress(ipAddress: address, port: 1).foreignHost == client)
        }

        @Test(arguments: ["127.0.0.1", "127.3.2.1", "::1", "::ffff:127.0.0.1"])
        func thisMachineHasNoLimit(address: String) throws {
            #expect(try SocketAddress(ipAddress: address, port: 1).foreignHost == nil)
        }
    }
#endif
