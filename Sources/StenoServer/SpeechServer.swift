#if Server
    /// A server that speaks OpenAI's audio API: files over REST, live audio over a WebSocket.
    public struct SpeechServer: Sendable {
        /// How the server runs.
        public let configuration: Configuration

        /// Creates a server that does not run yet.
        public init(configuration: Configuration = Configuration()) { self.configuration = configuration }
    }
#endif
