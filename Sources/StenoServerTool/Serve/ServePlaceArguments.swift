#if Server
    import ArgumentParser
    import Foundation
    import Steno
    import StenoServer

    @available(macOS 14, *)
    struct ServePlaceArguments: ParsableArguments {
        @Option(name: .long, help: "Address to listen on, such as 0.0.0.0 for all interfaces.")
        var host = "127.0.0.1"

        @Option(name: .shortAndLong, help: "Port to listen on, 0 for any free one.") var port = 8080

        @Option(help: .init("Certificate chain in PEM format, for HTTPS.", valueName: "file")) var tlsCert: String?

        @Option(help: .init("Private key in PEM format, for HTTPS.", valueName: "file")) var tlsKey: String?

        @Option(
            name: .long,
            help: ArgumentHelp("Also serve Home Assistant's Wyoming protocol, on this port.", valueName: "port"))
        var wyoming: Int?

        func validate() throws {
            guard (0...65_535).contains(port) else {
                throw ValidationError("--port is a number from 0 to 65535, not \(port).")
            }
            // Users type this port into Home Assistant, so a random free one would be useless.
            if let wyoming, !(1...65_535).contains(wyoming) {
                throw ValidationError("--wyoming is a port from 1 to 65535, not \(wyoming).")
            }
            guard (tlsCert == nil) == (tlsKey == nil) else {
                throw ValidationError("HTTPS needs both --tls-cert and --tls-key.")
            }
            guard !host.isEmpty else { throw ValidationError("--host is empty: leave it out, or give an address.") }
        }

        func apply(to configuration: inout SpeechServer.Configuration) throws {
            configuration.host = host
            configuration.port = port
            configuration.wyomingPort = wyoming
            configuration.certificateFile = try tlsCert.map(Self.file)
            configuration.privateKeyFile = try tlsKey.map(Self.file)
        }

        private static func file(_ path: String) throws -> URL {
            guard FileManager.default.isReadableFile(atPath: path) else {
                throw StenoError(.invalidOption, "“\(path)” cannot be read. Check its name, and that you may read it.")
            }
            return URL(fileURLWithPath: path)
        }
    }
#endif
