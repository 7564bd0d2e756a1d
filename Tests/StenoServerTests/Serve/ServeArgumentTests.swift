#if Server
    import ArgumentParser
    import Foundation
    import Steno
    import StenoServer
    import StenoTestSupport
    import Testing

    @testable import StenoServerTool

    @Suite("Arguments of steno serve and steno captions")
    struct ServeArgumentTests {
        @Test("Every argument reaches its option")
        func all() throws {
            let folder = try TemporaryFolder()
            let (keys, certificate) = (
                try folder.write("0123456789abcdef\n", to: "keys"), try folder.write("", to: "c")
            )
            let privateKey = try folder.write("", to: "k")
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

        @Test("The page's own arguments reach their options")
        func ofThePage() throws {
            let arguments = ["captions", "--save-history", "--save-audio", "--history", "/h", "--key-file", "/k"]
            let captions = try #require(try ServerCommand.parseAsRoot(arguments) as? Captions)
            #expect(captions.captions.saveHistory && captions.captions.saveAudio && captions.logLevel == .warning)
            #expect(captions.history.folder == "/h" && captions.history.keyFile == "/k")
        }
    }
#endif
