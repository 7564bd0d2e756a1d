#if Server
    import Logging
    import NIOCore

    /// Hummingbird's log without the false errors of a server that is cancelled while it accepts connections: that
    /// closes the socket, which Hummingbird then tries to close again.
    struct QuietEnd: LogHandler {
        private var base: any LogHandler

        init(_ base: any LogHandler) { self.base = base }

        var metadata: Logger.Metadata {
            get { base.metadata }
            set { base.metadata = newValue }
        }

        var metadataProvider: Logger.MetadataProvider? {
            get { base.metadataProvider }
            set { base.metadataProvider = newValue }
        }

        var logLevel: Logger.Level {
            get { base.logLevel }
            set { base.logLevel = newValue }
        }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { base[metadataKey: key] }
            set { base[metadataKey: key] = newValue }
        }

        func log(event: LogEvent) {
            // The level is checked first, because a busy server logs every request.
            let isNormal = event.level == .error && Self.normal.contains(event.message.description)
            if !isNormal { base.log(event: event) }
        }

        private static let normal: Set<String> = [
            "Waiting on child channel: \(CancellationError())", "Server shutdown error: \(ChannelError.alreadyClosed)",
        ]
    }
#endif
