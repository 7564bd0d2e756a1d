#if Server
    import ArgumentParser
    import Foundation
    import Steno
    import StenoTestSupport
    import Testing

    @testable import StenoServer
    @testable import StenoServerTool

    @Suite("steno serve") struct ServeTests {
        private let folder = TemporaryFolder.ofSuite()

        private func configuration(_ arguments: String...) throws -> SpeechServer.Configuration {
            try configuration(arguments)
        }

        private func configuration(_ arguments: [String]) throws -> SpeechServer.Configuration {
            let command = try #require(try ServerCommand.parseAsRoot(["serve"] + arguments) as? Serve)
            return try command.serverConfiguration()
        }

        @Test func byDefaultItListensOnLocalhostOnlyWithTheLibrarysLimits() throws {
            let (configuration, library) = (try configuration(), SpeechServer.Configuration())
            #expect(configuration.host == "127.0.0.1" && configuration.port == 8080 && configuration.apiKeys.isEmpty)
            #expect(configuration.maximumSessions == nil && configuration.unloadAfter == nil)
            #expect(configuration.maximumUpload == library.maximumUpload && library.maximumUpload == 1 << 30)
            #expect(configuration.maximumConnections == library.maximumConnections)
            #expect(configuration.maximumWaitingFiles == library.maximumWaitingFiles)
            #expect(configuration.timeouts.shutdown == library.timeouts.shutdown)
        }

        @Test(
            arguments: [("90s", 90), ("10m", 600), ("1.5H", 5400), ("1d", 86_400), ("0s", 0), ("never", nil)]
                as [(String, Double?)])
        func theTimeUntilIdleModelsAreUnloadedHasAUnit(_ time: String, _ seconds: Double?) throws {
            #expect(try configuration("--unload-after", time).unloadAfter == seconds)
        }

        @Test func aPublicAddressNeedsKeysOrExplicitPermissionToDoWithout() throws {
            // Wyoming has no keys.
            let file = try keyFile("0123456789abcdef\n", mode: 0o600)
            let open = ["--host", "0.0.0.0"], keys = open + ["--api-key-file", file], wyoming = ["--wyoming", "10300"]
            for refused in [open, keys + wyoming, open + wyoming + ["--allow-wyoming"]] {
                #expect(throws: (any Error).self) { try configuration(refused) }
            }
            #expect(try configuration(open + ["--allow-anyone"]).host == "0.0.0.0")
            #expect(try configuration("--host", "::1").host == "::1" && configuration(keys).apiKeys.count == 1)
            for allowed in ["--allow-wyoming", "--allow-anyone"] {
                #expect(try configuration(keys + wyoming + [allowed]).wyomingPort == 10_300)
            }
        }

        /// A file that only its owner may be able to read.
        private func keyFile(_ text: String, mode: mode_t) throws -> String {
            let file = try folder.write(text, to: "keys").path
            chmod(file, mode)
            return file
        }

        @Test func theKeyFileIsReadOnlyIfNobodyElseCanReadIt() throws {
            let two = "# comment\n0123456789abcdef\n\n fedcba9876543210 \n"
            #expect(
                try configuration("--api-key-file", keyFile(two, mode: 0o600)).apiKeys == [
                    "0123456789abcdef", "fedcba9876543210",
                ])
            for file in [try keyFile(two, mode: 0o644), "/nowhere"] {
                #expect(throws: (any Error).self) { try configuration("--api-key-file", file) }
            }
            for text in ["", "# nothing\n", "short\n"] {
                #expect(throws: (any Error).self) { try configuration("--api-key-file", keyFile(text, mode: 0o600)) }
            }
        }

        @Test func aSystemdCredentialMayHaveGroupPermissionBitsOfItsACL() throws {
            let file = try folder.write("0123456789abcdef\n", to: "service/keys").path
            let credentials = folder.url.appendingPathComponent("service").path
            chmod(file, 0o440)
            #expect(try APIKeyFile.keys(in: file, credentials: credentials) == ["0123456789abcdef"])
            // A link to it is the same file.
            let link = folder.url.appendingPathComponent("link").path
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
            #expect(try APIKeyFile.keys(in: link, credentials: credentials).count == 1)
            for other in [nil, "", credentials + "/keys", folder.url.appendingPathComponent("serv").path] as [String?] {
                #expect(throws: StenoError.self) { try APIKeyFile.keys(in: file, credentials: other) }
            }
            chmod(file, 0o444)
            #expect(throws: StenoError.self) { try APIKeyFile.keys(in: file, credentials: credentials) }
        }

        private static let senseless: [([String], String)] = [
            (["--port", "70000"], "--port is a number from 0 to 65535"),
            (["--max-sessions", "0"], "--max-sessions must be 1 or more"),
            (["--max-connections", "0"], "--max-connections must be 1 or more"),
            (["--max-waiting=-1"], "--max-waiting must be 0 or more"),
            (["--threads", "0"], "--threads must be 1 or more"),
            (["--max-upload", "0"], "--max-upload must be 1 or more"),
            (["--max-upload", "1000001"], "--max-upload is at most 1000000 MiB"),
            (["--allow-origin", "example.com"], "takes an origin like https://example.com"),
            (["--tls-cert", "x"], "HTTPS needs both"), (["--wyoming", "0"], "--wyoming is a port from 1 to 65535"),
            (["--model", " "], "--model is empty"), (["--host", ""], "--host is empty"),
            (["--shutdown-time=-1"], "--shutdown-time is a number of seconds"),
            (["--model-memory", "0"], "--model-memory is a number of gigabytes"),
            (["--unload-after", "10"], "'10' is invalid"), (["--unload-after=-1s"], "'-1s' is invalid"),
            (["--unload-after", "soon"], "'soon' is invalid"),
            (["--tls-cert", "/nowhere", "--tls-key", "/nowhere"], "“/nowhere” cannot be read"),
        ]

        @Test(arguments: senseless) func nonsensicalValuesAreRefused(_ arguments: [String], _ words: String) {
            #expect { try configuration(arguments) } throws: {
                (($0 as? StenoError)?.message ?? ServerCommand.message(for: $0)).contains(words)
            }
        }
    }

    @Suite("The server's log") struct ServerLogTests {
        @Test func anEntryIsOneLine() {
            let time = Date(timeIntervalSince1970: 0)
            let fields = [("a", "plain"), ("b", "two words\n\"quoted\""), ("c", "")]
            #expect(
                ServerLog(format: .text).line("info", "request", fields, time: time)
                    == #"1970-01-01T00:00:00.000Z info request a=plain b="two words\n\"quoted\"" c="""#)
            #expect(
                ServerLog(format: .json).line("info", "request", fields, time: time)
                    == #"{"time":"1970-01-01T00:00:00.000Z","level":"info","message":"request","a":"plain","#
                    + #""b":"two words\n\"quoted\"","c":""}"#)
        }
    }

    @Suite("Arguments of steno serve and steno captions") struct ServeArgumentTests {
        @Test func everyArgumentReachesItsOption() throws {
            let folder = try TemporaryFolder()
            let keys = try folder.write("0123456789abcdef\n", to: "keys")
            let certificate = try folder.write("", to: "c"), privateKey = try folder.write("", to: "k")
            chmod(keys.path, 0o600)
            let arguments = [
                "--host", "0.0.0.0", "--port", "8443", "--tls-cert", certificate.path, "--tls-key", privateKey.path,
                "--wyoming", "10300", "--api-key-file", keys.path, "--allow-wyoming", "--allow-origin",
                "https://a.example", "--allow-host", "proxy", "--model", "a", "--model", "b", "--model-memory", "1.5",
                "--unload-after", "90s", "--threads", "3", "--max-sessions", "4", "--max-waiting", "5", "--max-upload",
                "6", "--max-connections", "7", "--shutdown-time", "8.5", "--log-level", "error", "--log-format", "json",
                "--max-sessions-per-address", "2",
            ]
            let serve = try #require(try ServerCommand.parseAsRoot(["serve"] + arguments) as? Serve)
            let captions = try #require(try ServerCommand.parseAsRoot(["captions"] + arguments) as? Captions)
            #expect(serve.logLevel == .error && serve.logFormat == .json)
            #expect(captions.logLevel == .error && captions.logFormat == .json)
            for configuration in [try serve.serverConfiguration(), try captions.serverConfiguration()] {
                #expect(configuration.host == "0.0.0.0" && configuration.port == 8443)
                #expect(configuration.certificateFile?.path == certificate.path)
                #expect(configuration.privateKeyFile?.path == privateKey.path)
                #expect(configuration.wyomingPort == 10_300 && configuration.apiKeys == ["0123456789abcdef"])
                #expect(configuration.allowedOrigins == ["https://a.example"])
                #expect(configuration.allowedHosts == ["proxy"])
                #expect(configuration.models == ["a", "b"] && configuration.modelMemory == 1_500_000_000)
                #expect(configuration.unloadAfter == 90 && configuration.threads == 3)
                #expect(configuration.maximumSessions == 4 && configuration.maximumWaitingFiles == 5)
                #expect(configuration.maximumUpload == 6 << 20 && configuration.maximumConnections == 7)
                #expect(configuration.timeouts.shutdown == 8.5 && configuration.maximumSessionsPerAddress == 2)
            }
        }

        @Test func thePagesOwnArgumentsReachTheirOptions() throws {
            let arguments = ["captions", "--save-history", "--save-audio", "--history", "/h", "--key-file", "/k"]
            let captions = try #require(try ServerCommand.parseAsRoot(arguments) as? Captions)
            #expect(captions.captions.saveHistory && captions.captions.saveAudio && captions.logLevel == .warning)
            #expect(captions.history.folder == "/h" && captions.history.keyFile == "/k")
        }
    }

    #if os(Linux) || os(macOS)
        /// `steno-server serve` as people start it: an address, an answer, a signal.
        @Suite("steno serve as a program", .timeLimit(.minutes(15))) struct ServeProgramTests {
            private let folder = TemporaryFolder.ofSuite()

            @Test(arguments: [SIGTERM, SIGINT])
            func aFileIsTranscribedAndASignalEndsTheServer(signal: Int32) async throws {
                let program = try ServerProgram(["serve", "--port", "0"], in: folder)
                #expect(program.wait(for: "at once; Ctrl-C"))
                let address = try #require(program.address(after: "serving nano at "))
                let port = try #require(address.port)
                #expect(address.absoluteString == "http://127.0.0.1:\(port)/v1")
                let speech = [UInt8](try Data(contentsOf: Fixtures.file("sounds/tomorrow.wav")))
                let client = try await SocketClient.connect(port)
                let fields = [("model", "whisper-1"), ("language", "en"), ("response_format", "text")]
                let response = try await client.response(to: .upload(speech, fields), port: port)
                #expect(response.status == 200)
                #expect(response.text.trimmingCharacters(in: .whitespacesAndNewlines) == "Tomorrow is Friday.")
                // An open connection does not keep the server running.
                let other = try await SocketClient.connect(port)
                #expect(try await other.request("/health").hasPrefix("HTTP/1.1 200 "))
                kill(program.identifier, signal)
                while try await other.more() {}
                #expect(program.exitCode == 0, "\(program.text)")
            }

            /// `Bundle.module` would end the process here.
            @Test func aProgramCopiedWithoutItsResourcesSaysWhatIsMissing() throws {
                let program = try folder.install(
                    try #require(BuiltTool.executable("steno-server")), as: "bin/steno-server")
                let result = try folder.start(program, ["serve", "--port", "0", "--model", Fixtures.nano.path]).wait()
                #expect(result.code == 1 && result.errors.contains("Install Steno_StenoServer."), "\(result)")
            }

            @Test func aTakenPortEndsTheProgramWithAdvice() async throws {
                let server = try await socketServer { _ in .pass }
                let program = try ServerProgram(["serve", "--port", "\(server.port)"], in: folder)
                #expect(program.exitCode == 64 && program.text.contains("Choose another one with --port."))
            }
        }
    #endif
#endif
