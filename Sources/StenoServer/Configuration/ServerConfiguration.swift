#if Server
    public import Foundation
    import StenoCore

    @available(macOS 14, iOS 17, *)
    extension SpeechServer {
        /// How a server runs; the defaults are safe for a machine that others can reach: it listens to itself only.
        public struct Configuration: Sendable {
            /// The address to listen at; `127.0.0.1` is reached from this machine only.
            public var host = "127.0.0.1"
            /// The port; 0 is any free one.
            public var port = 8080
            /// The names or paths of the models, the default first; empty serves every installed one.
            public var models: [String] = []
            /// Threads for a decoding; nil is one for each core that the CPU quota allows, at most four.
            public var threads: Int?
            /// The bytes that loaded models may have; nil is half of the machine's memory.
            public var modelMemory: Int?
            /// The seconds after which a model that nobody uses is unloaded, the default one too; nil is never.
            ///
            /// The next request for it waits until it is loaded again.
            public var unloadAfter: Double?

            /// The keys of which a client must send one; empty lets everybody in who can reach the port.
            public var apiKeys: [String] = []
            /// The certificate chain in PEM format, for TLS.
            public var certificateFile: URL?
            /// The private key in PEM format, for TLS.
            public var privateKeyFile: URL?
            /// The origins (`https://example.com`) whose pages may call the server from a browser.
            public var allowedOrigins: [String] = []
            /// Further names and addresses by which clients reach the server, in the header `Host`.
            public var allowedHosts: [String] = []

            /// The most live sessions at once; nil is what the measured speed allows.
            public var maximumSessions: Int?
            /// The most live sessions of one address; nil is three quarters of all.
            ///
            /// Of IPv6, a network of 64 bits counts as one address. It does not count for this machine, where a proxy may
            /// have clients of its own.
            public var maximumSessionsPerAddress: Int?
            /// The most files that wait for their turn.
            public var maximumWaitingFiles = 64
            /// The largest upload, in bytes.
            public var maximumUpload = 1 << 30
            /// The most connections; beyond it the one that has been idle for the longest time is closed.
            public var maximumConnections = 4096

            /// The most screens that watch live sessions at once.
            ///
            /// They decode nothing, but every event is sent to each, and for one that reads slowly megabytes may wait.
            package var maximumWatchers = 256

            /// The seconds for each phase of a connection.
            public var timeouts = Timeouts()
            /// The port for Home Assistant's Wyoming protocol, from 1; nil is none.
            public var wyomingPort: Int?

            /// The captions page, if there is to be one.
            package var captions: CaptionsOptions?

            /// Creates the default configuration.
            public init() {}
        }

        /// How long a client may take for each phase, in seconds.
        public struct Timeouts: Sendable, Hashable {
            /// From the connection, or the end of the last response, to the end of a request's header.
            public var header = 20.0
            /// From the header to the end of the body, for a body of no more than 16 MiB; a larger one has more in proportion.
            public var body = 120.0
            /// Between two pieces of a body, or while the client does not read the response.
            public var idle = 30.0
            /// Without audio, of a live session: then its place is free for somebody who speaks.
            public var audio = 600.0
            /// How long running work may take after the server was asked to stop.
            public var shutdown = 600.0

            /// Creates the default times.
            public init() {}
        }
    }

    @available(macOS 14, iOS 17, *)
    extension SpeechServer.Configuration: CustomStringConvertible {
        /// Where the server listens, and nothing else: a log that describes a service must not have its keys.
        public var description: String { "Configuration(\(host):\(port))" }
    }

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

    @available(macOS 14, iOS 17, *)
    extension SpeechServer.Configuration {
        /// The threads of one decoding; more than four gain little, and another decoding has more use for them.
        package var decodingThreads: Int { max(1, threads ?? min(4, Self.cores)) }

        /// How many decodings compute at once.
        package var decodingWidth: Int { max(1, Self.cores / decodingThreads) }

        /// Files that are open at once: enough that a short one need not wait for the end of a long one.
        package var runningFiles: Int { max(4, 2 * decodingWidth) }

        /// The bytes for loaded models.
        package var memoryLimit: Int { modelMemory ?? Int(clamping: ProcessInfo.processInfo.physicalMemory / 2) }

        /// The cores that the computations have: hyper-threads counted once, limited by the CPU quota.
        private static var cores: Int { WorkerPool.shared.threads }
    }
#endif
