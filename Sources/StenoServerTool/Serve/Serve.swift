#if Server
    import ArgumentParser
    import Foundation
    import Logging
    import ServiceLifecycle
    import Steno
    import StenoCommandLine
    import StenoServer

    @available(macOS 14, *)
    struct Serve: AsyncParsableCommand, ShortlyExplained {
        static let configuration = CommandConfiguration(
            commandName: "serve", abstract: ServerAbstract.serve,
            discussion: """
                  steno serve                                      for programs on this machine
                  curl http://127.0.0.1:8080/v1/audio/transcriptions -F file=@talk.mp3
                  steno serve --host 0.0.0.0 --api-key-file keys   for other machines too
                  openssl rand -hex 32 > keys; chmod 600 keys      makes a key

                Clients of OpenAI's API use it with the base URL http://127.0.0.1:8080/v1. The server accepts \
                connections only from this machine; to let others in, use --host and --api-key-file. SIGTERM and \
                SIGINT (Ctrl-C) finish running requests; a second one ends at once. See \
                Documentation/Guides/Server.md.
                """)
        static let commonOptions = [
            "--host", "--port", "--api-key-file", "--allow-anyone", "--tls-cert", "--tls-key", "--allow-origin",
            "--wyoming", "--model", "--model-memory", "--threads", "--max-sessions", "--max-upload", "--log-format",
        ]

        @OptionGroup var server: ServeArguments

        @Option(name: .long, help: "Lowest level of the log: debug, info, warning, error.")
        var logLevel = LogLevel.info

        @Option(
            name: .long, help: .init("Write the log as text or as JSON, one entry per line.", valueName: "text|json"))
        var logFormat = LogFormat.text

        func run() async throws {
            let configuration = try Self.checkingArguments { try self.serverConfiguration() }
            Self.raiseFileLimit()
            let service = SpeechServer(configuration: configuration)
            try await CommandRun.run { [logger = Logger(logLevel, logFormat)] console in
                let group = Self.group(service, logger) { report($0, console) }
                // The second signal cancels the task, which closes all connections.
                console.endGently { Task { await group.triggerGracefulShutdown() } }
                try await group.run()
                return EXIT_SUCCESS
            }
        }

        /// The server as a group of services, which signals can shut down gracefully.
        static func group(
            _ server: SpeechServer, _ logger: Logger, onStart: @escaping @Sendable (SpeechServer.Status) -> Void
        ) -> ServiceGroup {
            let service = ServeService(server: server, logger: logger, onStart: onStart)
            return ServiceGroup(configuration: ServiceGroupConfiguration(services: [service], logger: logger))
        }

        func serverConfiguration() throws -> SpeechServer.Configuration {
            let configuration = try server.configuration()
            try server.access.checkReach(configuration)
            return configuration
        }

        private func report(_ status: SpeechServer.Status, _ console: Console) {
            let models = status.models.count == 1 ? status.models[0] : status.models.joined(separator: ", ")
            console.remark("serving \(models) at \(status.url)")
            let sessions = "\(status.liveSessions) live session" + (status.liveSessions == 1 ? "" : "s")
            console.remark("at most \(sessions) at once; Ctrl-C finishes what is running and ends")
            if let port = status.wyomingPort { console.remark("Wyoming (Home Assistant) at port \(port)") }
        }

        /// Raises the limit of open files: every connection is one, and the usual 1024 is for programs that use
        /// select(2).
        static func raiseFileLimit() {
            var limit = rlimit()
            #if os(Linux)
                let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            #else
                let resource = RLIMIT_NOFILE
            #endif
            guard getrlimit(resource, &limit) == 0 else { return }
            limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, 65_536))
            _ = setrlimit(resource, &limit)
        }
    }

    /// The server as a service, so that signals can ask for its graceful shutdown.
    @available(macOS 14, *)
    private struct ServeService: Service {
        let server: SpeechServer
        let logger: Logger
        let onStart: @Sendable (SpeechServer.Status) -> Void

        func run() async throws { try await server.run(logger: logger) { onStart($0) } }
    }

    /// The options of every server: where it listens, who may use it, and how much it does.
    @available(macOS 14, *)
    struct ServeArguments: ParsableArguments {
        @OptionGroup(title: "Network") var place: ServePlaceArguments

        @OptionGroup(title: "Access") var access: ServeAccessArguments

        @OptionGroup(title: "Models and limits") var limits: ServeLimitArguments

        /// The configuration from all options, before ``ServeAccessArguments/checkReach(_:)``.
        func configuration() throws -> SpeechServer.Configuration {
            var configuration = SpeechServer.Configuration()
            try place.apply(to: &configuration)
            try access.apply(to: &configuration)
            limits.apply(to: &configuration)
            return configuration
        }
    }
#endif
