#if Server
    /// A server that speaks OpenAI's audio API: files over REST, live audio over a WebSocket.
    ///
    ///     var configuration = SpeechServer.Configuration()
    ///     configuration.port = 8080
    ///     try await SpeechServer(configuration: configuration).run { print($0.url) }
    ///
    /// It listens to this machine alone unless the configuration says otherwise.
    @available(macOS 14, iOS 17, *)
    public struct SpeechServer: Sendable {
        /// How the server runs.
        public let configuration: Configuration

        /// Creates a server that does not run yet.
        public init(configuration: Configuration = Configuration()) { self.configuration = configuration }
    }
#endif
