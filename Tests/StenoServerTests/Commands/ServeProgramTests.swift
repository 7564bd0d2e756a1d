#if Server && (os(Linux) || os(macOS))
    import Foundation
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    /// `steno-server serve` as people start it: an address, an answer, a signal.
    @Suite("steno serve as a program", .timeLimit(.minutes(15)))
    struct ServeProgramTests {
        private let folder = TemporaryFolder.ofSuite()

        @Test("A file is transcribed, and a signal ends the server", arguments: [SIGTERM, SIGINT])
        func aFileIsTranscribed(signal: Int32) async throws {
            let program = try ServerProgram(["serve", "--port", "0"], in: folder)
            #expect(program.wait(for: "at once; Ctrl-C"))
            let address = try #require(program.address(after: "serving nano at "))
            let port = try #require(address.port)
            #expect(address.absoluteString == "http://127.0.0.1:\(port)/v1")
            let speech = [UInt8](try Data(contentsOf: Fixtures.file("sounds/tomorrow.wav")))
            try await SocketClient.connect(port) { client in
                let fields = [("model", "whisper-1"), ("language", "en"), ("response_format", "text")]
                let response = try await client.response(to: .upload(speech, fields), port: port)
                #expect(response.status == 200)
                #expect(response.text.trimmingCharacters(in: .whitespacesAndNewlines) == "Tomorrow is Friday.")
            }
            // An open connection does not keep the server running.
            try await SocketClient.connect(port) { client in
                #expect(try await client.request("/health").hasPrefix("HTTP/1.1 200 "))
                kill(program.identifier, signal)
                while try await client.more() {}
            }
            #expect(program.exitCode == 0, "\(program.text)")
        }

        /// `Bundle.module` would end the process here.
        @Test("A program copied without its resources says what is missing")
        func alone() throws {
            let program = try folder.install(try #require(BuiltTool.executable("steno-server")), as: "bin/steno-server")
            let result = try folder.start(program, ["serve", "--port", "0", "--model", Fixtures.nano.path]).wait()
            #expect(result.code == 1 && result.errors.contains("Install Steno_StenoServer."), "\(result)")
        }

        @Test("A taken port ends the program with advice")
        func taken() async throws {
            let first = try ServerProgram(["serve", "--port", "0"], in: folder)
            #expect(first.wait(for: "at once; Ctrl-C"))
            let port = try #require(first.address(after: "serving nano at ")?.port)
            let second = try ServerProgram(["serve", "--port", "\(port)"], in: folder)
            #expect(second.exitCode == 64 && second.text.contains("Choose another one with --port."))
            kill(first.identifier, SIGTERM)
            #expect(first.exitCode == 0)
        }
    }
#endif
