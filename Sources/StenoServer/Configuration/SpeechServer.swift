#if Server
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
#endif
