#if Server
    import Foundation
    import Steno
    import StenoTestSupport
    import Testing

    @testable import StenoServer
    @testable import StenoServerTool

    @Suite("The captions page") struct CaptionsPageTests {
        private let files: [String: String]

        init() throws { files = try CaptionsPage().files.mapValues(\.text) }

        @Test func itsContentPolicyLoadsNothingFromElsewhereAndACachedFileIsNotSentAgain() async throws {
            let server = try await TestServer.run { $0.captions = CaptionsOptions() }
            for path in ["/", "/overlay", "/captions/js/main.js", "/captions/css/theme.css", "/captions/icons.svg"] {
                let response = try await server.send(.get(path))
                #expect(response.status == 200)
                let policy = try #require(response.headers["content-security-policy"])
                #expect(policy.contains("default-src 'none'"))
                #expect(!policy.contains("unsafe") && !policy.contains("http") && !policy.contains("*"))
                #expect(response.headers["x-content-type-options"] == "nosniff")
                #expect(response.headers["referrer-policy"] == "no-referrer")
            }
            let script = try await server.send(.get("/captions/js/main.js"))
            #expect(script.headers["content-type"] == "text/javascript; charset=utf-8")
            #expect(script.text == files["js/main.js"])
            for path in ["/captions/nothing.js", "/captions/index.html", "/captions/../Package.swift"] {
                #expect(try await server.send(.get(path)).status == 404)
            }
            let path = "/captions/js/main.js"
            let tag = try #require(try await server.send(.get(path)).headers["etag"])
            #expect(try await server.send(.get("/captions/js/feed.js")).headers["etag"] != tag)
            for given in [tag, "\"other\", W/\(tag)", "*"] {
                let response = try await server.send(.get(path, headers: [("If-None-Match", given)]))
                #expect(response.status == 304 && response.body.isEmpty && response.headers["etag"] == tag)
                #expect(response.headers["content-security-policy"] != nil)
            }
            let changed = try await server.send(.get(path, headers: [("If-None-Match", "\"other\"")]))
            #expect(changed.status == 200 && !changed.body.isEmpty)
        }

        @Test func itsFilesReferToNoOtherServer() {
            #expect(files.count > 30)
            for (name, text) in files {
                let rest = text.replacing("http://www.w3.org/2000/svg", with: "")
                #expect(!rest.contains("http://") && !rest.contains("https://"), "\(name)")
                #expect(!rest.contains("innerHTML") && !rest.contains("style=\""), "\(name)")
            }
        }

        @Test func withoutThePageItsPathsAreNotFound() async throws {
            let server = try await TestServer.run()
            for path in ["/", "/overlay", "/captions/js/main.js", "/v1/steno/captions", "/v1/steno/history"] {
                #expect(try await server.send(.get(path)).status == 404)
            }
        }

        @Test func aLanguageTheModelLacksIsRefusedAtStartup() async throws {
            let error = await #expect(throws: StenoError.self) {
                _ = try await TestServer.run {
                    $0.captions = CaptionsOptions()
                    $0.captions?.language = "tr"
                }
            }
            #expect(error?.code == .unknownLanguage && error?.message.contains("“tr”") == true)
        }

        @Test func thePageIsPublicButItsDataNeedsTheKey() async throws {
            let server = try await TestServer.run {
                $0.captions = CaptionsOptions()
                $0.captions?.fingerprint = "AB:CD"
                $0.apiKeys = ["0123456789abcdef"]
            }
            #expect(try await server.send(.get("/")).status == 200)
            #expect(try await server.send(.get("/v1/steno/captions")).status == 401)
            let headers = [("Authorization", "Bearer 0123456789abcdef")]
            let offer = try await server.send(.get("/v1/steno/captions", headers: headers)).json
            #expect(offer["fingerprint"] as? String == "AB:CD" && offer["history"] as? Bool == false)
            #expect(offer["languages"] as? [String] == SecondFamilyModel().information.languages)
            var request = RawRequest.get("/")
            request.host = "evil.example"
            #expect(try await server.send(request).status == 421)
            // Without a history its paths do not exist.
            #expect(try await server.send(.get("/v1/steno/history", headers: headers)).status == 404)
        }
    }

    /// The page's own scripts with a mocked browser, server and clock.
    @Suite("The scripts of the captions page", .enabled(if: PageScript.canRun, "node is not installed"))
    struct PageScriptTests {
        /// Each script in Tests/Fixtures/page ends with what it reports; `// with feed` begins it with `shared/feed.js`.
        @Test(arguments: RecordedScript.all(in: "page"))
        func aScriptReportsWhatItsLastLineSays(_ script: RecordedScript) throws {
            let mark = "// reports ", with = "// with "
            let lines = try script.text().split(separator: "\n").filter { !$0.hasPrefix(mark) }
            let shared = try lines.filter { $0.hasPrefix(with) }.map { try PageScript.shared($0.dropFirst(with.count)) }
            let body = lines.joined(separator: "\n") + "\n"
            let output = try PageScript.output(shared.joined() + body)
            let (committed, played) = try script.compared(with: body + mark + output)
            #expect(played == committed)
        }
    }

    enum PageScript {
        private static let node = InstalledTool.find("node")

        static var canRun: Bool { node != nil || mustRun }

        static func shared(_ name: some StringProtocol) throws -> String {
            try String(contentsOf: Fixtures.file("page/shared/\(name).js"), encoding: .utf8)
        }

        /// Runs a script in the mocked browser, with the page's own scripts, and returns what it reports.
        static func output(_ script: String) throws -> String {
            let folder = try TemporaryFolder()
            defer { withExtendedLifetime(folder) {} }
            // Without it, node would not treat the scripts as modules.
            try folder.write(#"{"type": "module"}"#, to: "package.json")
            for (name, file) in try CaptionsPage().files where name.hasSuffix(".js") {
                try folder.write(file.text, to: name)
            }
            let file = try folder.write(shared("browser") + script, to: "check.js")
            let process = Process(), output = Pipe()
            process.executableURL = node
            process.arguments = [file.path]
            process.standardOutput = output
            try process.run()
            let text = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return String(decoding: text, as: UTF8.self)
        }

        static func report(_ script: String) throws -> JSONValue { try JSONValue(parsing: output(script).utf8) }
    }

    #if os(Linux) || os(macOS)
        /// HTTPS for phones, with the certificate that the program generates.
        @Suite(
            "Captions over TLS", .timeLimit(.minutes(15)),
            .enabled(if: InstalledTool.find("openssl") != nil || mustRun, "openssl is not installed"))
        struct CaptionsTLSTests {
            private let folder = TemporaryFolder.ofSuite()

            private func certificate(for hosts: [String]) async throws -> CaptionsCertificate {
                let certificate = CaptionsState(folder: folder.url.appendingPathComponent("captions")).certificate
                try await certificate.make(for: hosts, searchPath: ProcessInfo.processInfo.environment["PATH"] ?? "")
                return certificate
            }

            @Test func thePageAndItsSocketUseTLS() async throws {
                let index = try CaptionsPage().files["index.html"]?.text
                let certificate = try await certificate(for: ["localhost"])
                let server = try await TestServer.run {
                    $0.certificateFile = certificate.file
                    $0.privateKeyFile = certificate.privateKeyFile
                    $0.captions = CaptionsOptions()
                }
                let client = try await SocketClient.connect(server.port, trusting: certificate.file)
                let page = try await client.response(to: .get("/"), port: server.port)
                #expect(page.status == 200 && page.text == index)
                let socket = try await SocketClient.connect(server.port, trusting: certificate.file)
                #expect(try await socket.upgrade("/v1/steno/live").hasPrefix("HTTP/1.1 101 "))
                try await socket.say(["type": "hello", "language": "en"])
                #expect(try await socket.event()?["type"] == "welcome")
                await #expect(throws: (any Error).self, "the certificate is for another name") {
                    let name = "example.com"
                    let other = try await SocketClient.connect(server.port, trusting: certificate.file, name: name)
                    _ = try await other.request("/health")
                }
                // Without TLS there is no answer.
                let plain = try await SocketClient.connect(server.port)
                #expect(try await !plain.request("/").hasPrefix("HTTP/1.1 "))
            }

            /// Its key is a file on a laptop, and people may make their phones trust it.
            @Test func theCertificateIsNotACertificateAuthority() async throws {
                let text = try String(contentsOf: try await certificate(for: ["localhost"]).file, encoding: .utf8)
                let body = text.split(separator: "\n").drop { !$0.hasPrefix("-----BEGIN") }.dropFirst()
                    .prefix { !$0.hasPrefix("-----END") }
                let bytes = try #require(Data(base64Encoded: body.joined()))
                // basicConstraints (2.5.29.19), critical, an empty sequence: CA is false by default.
                let extensionBytes: [UInt8] = [0x06, 3, 0x55, 0x1D, 0x13, 0x01, 1, 0xFF, 0x04, 2, 0x30, 0]
                #expect(Array(bytes).firstRange(of: extensionBytes) != nil)
            }

            /// The whole program with `--lan`: its addresses, its certificate and the page's key.
            @Test func aPhoneOnTheLocalNetworkConnects() async throws {
                let program = try ServerProgram(["captions", "--lan", "--port", "0"], in: folder)
                #expect(program.wait(for: "press Ctrl-C to stop"))
                let address = try #require(program.address(after: "captions at "))
                let key = try #require(address.fragment.flatMap { $0.hasPrefix("key=") ? $0.dropFirst(4) : nil })
                let port = try #require(address.port)
                #expect(address.scheme == "https" && key.count == 22)
                #expect(program.text.contains("the addresses contain the key"), "it may be a log")
                let certificate = CaptionsState.standard(["XDG_STATE_HOME": folder.url.path]).certificate.file
                #expect(
                    program.text.contains("SHA-256 of the certificate: \(try CertificateFingerprint.of(certificate))"))
                let index = try CaptionsPage().files["index.html"]?.text
                // The phone's address, used from this machine.
                let host = try #require(address.host)
                let client = try await SocketClient.connect(port, trusting: certificate)
                let answer = try await client.response(to: .get("/"), port: port)
                #expect(answer.text == index)
                for (given, status) in [("Bearer " + key, 200), ("Bearer wrong", 401)] {
                    let client = try await SocketClient.connect(port, trusting: certificate)
                    var request = RawRequest.get("/v1/models", headers: [("Authorization", given)])
                    request.host = "\(host):\(port)"
                    #expect(try await client.response(to: request, port: port).status == status)
                }
                kill(program.identifier, SIGTERM)
                #expect(program.exitCode == 0, "\(program.text)")
            }
        }
    #endif
#endif
