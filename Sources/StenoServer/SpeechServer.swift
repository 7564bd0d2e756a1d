#if Server
    public import Logging
    import Steno

    /// A server with OpenAI's audio API: files over REST, live audio over a WebSocket.
    ///
    ///     var configuration = SpeechServer.Configuration()
    ///     configuration.port = 8080
    ///     try await SpeechServer(configuration: configuration).run { print($0.url) }
    ///
    /// By default it accepts connections only from this machine.
    @available(macOS 14, iOS 17, *)
    public struct SpeechServer: Sendable {
        /// The configuration.
        public let configuration: Configuration

        /// Creates a server without starting it.
        public init(configuration: Configuration = Configuration()) { self.configuration = configuration }
    }

    @available(macOS 14, iOS 17, *)
    extension SpeechServer {
        /// Runs until the task is cancelled, which ends all requests, or until ServiceLifecycle asks for a graceful
        /// shutdown, which finishes them.
        ///
        /// - Parameters:
        ///   - logger: The logger; it never receives text or audio.
        ///   - onStart: Called once the server accepts connections.
        /// - Throws: `StenoError`: `modelNotFound` and other errors of the default model; `invalidOption` if it cannot
        ///   listen on the address, or a certificate cannot be read; `resourceMissing` if the server's files were not
        ///   installed with the program.
        public func run(
            logger: Logger = Logger(label: "steno.server"),
            onStart: @escaping @Sendable (Status) async -> Void = { _ in }
        ) async throws {
            let configuration = configuration
            let models = try await Worker.run("steno.models", stack: .shallow) { _ in
                try ServedModels.located(configuration.models, threads: configuration.decodingThreads)
            }
            try await RunningServer(configuration, models: models, logger: logger).run(onStart: onStart)
        }

        /// The status of a server that has started.
        public struct Status: Sendable {
            /// The port it listens on.
            public let port: Int
            /// The address of the API, such as `http://127.0.0.1:8080/v1`.
            public let url: String
            /// The names of the models, the default first.
            public let models: [String]
            /// The maximum number of live sessions.
            public let liveSessions: Int
            /// The port of the Wyoming protocol, if it is served.
            public let wyomingPort: Int?
        }
    }
#endif
