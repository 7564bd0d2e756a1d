#if Server
    public import Foundation
    package import Logging
    import StenoCompute
    import StenoCore

    @available(macOS 14, iOS 17, *)
    extension SpeechServer {
        /// The configuration of a server; by default it accepts connections only from its own machine.
        public struct Configuration: Sendable {
            /// The address to listen on; `127.0.0.1` can be reached only from this machine.
            public var host = "127.0.0.1"
            /// The port; 0 picks a free one.
            public var port = 8080
            /// The names or paths of the models, with the default first; empty serves every installed model.
            public var models: [String] = []
            /// The number of threads per transcription; nil for one per core that the CPU quota allows, at most four.
            public var threads: Int?
            /// The maximum size of loaded models in bytes; nil for half of the machine's memory.
            public var modelMemory: Int?
            /// The seconds after which an unused model is unloaded, including the default one; nil for never.
            ///
            /// The next request for it waits while it loads again.
            public var unloadAfter: Double?

            /// The API keys, one of which a client must send; empty lets in everyone who can reach the port.
            public var apiKeys: [String] = []
            /// The certificate chain in PEM format, for TLS.
            public var certificateFile: URL?
            /// The private key in PEM format, for TLS.
            public var privateKeyFile: URL?
            /// The origins (`https://example.com`) of pages that may call the server from a browser.
            public var allowedOrigins: [String] = []
            /// Additional names and addresses that clients may send in the `Host` header.
            public var allowedHosts: [String] = []

            /// The maximum number of live sessions; nil for what the measured speed allows.
            public var maximumSessions: Int?
            /// The maximum number of live sessions per address; nil for three quarters of all.
            ///
            /// For IPv6, a /64 network counts as one address. The limit does not apply to this machine, where a proxy
            /// may have many clients.
            public var maximumSessionsPerAddress: Int?
            /// The maximum number of waiting files.
            public var maximumWaitingFiles = 64
            /// The largest upload, in bytes.
            public var maximumUpload = 1 << 30
            /// The maximum number of connections; beyond it, the longest idle one is closed.
            public var maximumConnections = 4096

            /// The maximum number of screens that watch live sessions.
            ///
            /// They need no decoding, but each is sent every event, and megabytes may queue up for a slow reader.
            package var maximumWatchers = 256

            /// The time limits of a connection.
            public var timeouts = Timeouts()
            /// The port for Home Assistant's Wyoming protocol, from 1; nil turns it off.
            public var wyomingPort: Int?

            /// The options of the captions page; nil for no page.
            package var captions: CaptionsOptions?

            /// Creates the default configuration.
            public init() {}
        }

        /// The time limits for each phase of a connection.
        public typealias Timeouts = ServerTimeouts
    }

    @available(macOS 14, iOS 17, *)
    extension SpeechServer.Configuration: CustomStringConvertible {
        /// The address only, so that logs that describe a service do not contain its keys.
        public var description: String { "Configuration(\(host):\(port))" }
    }

    @available(macOS 14, iOS 17, *)
    extension SpeechServer.Configuration {
        /// The threads per decoding; more than four gain little and are better used for another decoding.
        package var decodingThreads: Int { max(1, threads ?? min(4, Self.cores)) }

        /// How many decodings compute at once.
        package var decodingWidth: Int { max(1, Self.cores / decodingThreads) }

        /// How many files are open at once: enough that a short one need not wait for a long one to end.
        package var runningFiles: Int { max(4, 2 * decodingWidth) }

        /// The bytes for loaded models.
        package var memoryLimit: Int { modelMemory ?? Int(clamping: ProcessInfo.processInfo.physicalMemory / 2) }

        /// The cores available for computing: hyper-threads counted once, limited by the CPU quota.
        private static var cores: Int { WorkerPool.shared.threads }
    }

    @available(macOS 14, iOS 17, *)
    extension AccessPolicy {
        package init(_ configuration: SpeechServer.Configuration) {
            self.init(
                host: configuration.host, allowedHosts: configuration.allowedHosts,
                allowedOrigins: configuration.allowedOrigins, keys: configuration.apiKeys)
        }
    }

    @available(macOS 14, iOS 17, *)
    extension ServerContext {
        package init(
            _ configuration: SpeechServer.Configuration, models: ModelHost, admission: Admission,
            metrics: ServerMetrics, logger: Logger
        ) {
            self.init(
                models: models, admission: admission, access: AccessPolicy(configuration), metrics: metrics,
                logger: logger, timeouts: configuration.timeouts,
                maximumConnections: configuration.maximumConnections, maximumWatchers: configuration.maximumWatchers)
        }
    }
#endif
