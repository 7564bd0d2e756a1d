#if Server && (os(Linux) || os(macOS))
    import Foundation
    import Steno
    import StenoTestSupport
    import Testing

    @testable import StenoServer
    @testable import StenoServerTool

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
            let certificate = try await certificate(for: ["localhost", "127.0.0.1"])
            try await TestServer.run(configure: {
                $0.certificateFile = certificate.file
                $0.privateKeyFile = certificate.privateKeyFile
                $0.captions = CaptionsOptions()
            }) { server in
                try await SocketClient.connect(server.port, trusting: certificate.file) { client in
                    let page = try await client.response(to: .get("/"), port: server.port)
                    #expect(page.status == 200 && page.text == index)
                }
                try await SocketClient.connect(server.port, trusting: certificate.file) { client in
                    #expect(try await client.upgrade("/v1/steno/live").hasPrefix("HTTP/1.1 101 "))
                    try await client.say(["type": "hello", "language": "en"])
                    #expect(try await client.event()?["type"] == "welcome")
                }
                // Without TLS there is no answer.
                try await SocketClient.connect(server.port) { client in
                    let answer = try await client.request("/")
                    #expect(!answer.hasPrefix("HTTP/1.1 "))
                }
            }
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

        @Test func aHostTheCertificateDoesNotCoverIsRefused() async throws {
            let certificate = try await certificate(for: ["localhost"])
            try await TestServer.run(configure: {
                $0.certificateFile = certificate.file
                $0.privateKeyFile = certificate.privateKeyFile
            }) { server in
                await #expect(throws: (any Error).self) {
                    try await SocketClient.connect(server.port, trusting: certificate.file, name: "example.com") {
                        _ = try await $0.request("/health")
                    }
                }
            }
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
            #expect(program.text.contains("SHA-256 of the certificate: \(try CertificateFingerprint.of(certificate))"))
            let index = try CaptionsPage().files["index.html"]?.text
            // The phone's address, used from this machine.
            let host = try #require(address.host)
            try await SocketClient.connect(port, trusting: certificate) { client in
                let answer = try await client.response(to: .get("/"), port: port)
                #expect(answer.text == index)
            }
            for (given, status) in [("Bearer " + key, 200), ("Bearer wrong", 401)] {
                try await SocketClient.connect(port, trusting: certificate) { client in
                    var request = RawRequest.get("/v1/models", headers: [("Authorization", given)])
                    request.host = "\(host):\(port)"
                    let answer = try await client.response(to: request, port: port)
                    #expect(answer.status == status)
                }
            }
            kill(program.identifier, SIGTERM)
            #expect(program.exitCode == 0, "\(program.text)")
        }
    }
#endif
