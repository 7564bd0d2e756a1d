#if Server
    import Foundation
    import Logging
    import NIOCore
    import ServiceLifecycle
    import StenoCore

    /// An address that a part of the server listens on, and the option that sets its port.
    struct ListeningPlace: Sendable {
        let host: String
        let port: Int
        /// Such as `--port`.
        let option: String

        /// Explains a listening error to the person who starts the server; other errors are returned unchanged.
        func explained(_ error: any Error) -> any Error {
            switch error {
            case let error as IOError: return cannotListen(advice(error.errnoCode), error)
            case is SocketAddressError, is SocketAddressError.UnknownHost:
                return cannotListen("The name or address is unknown. Check --host and \(option).", error)
            default: return error
            }
        }

        private func advice(_ code: CInt) -> String {
            switch code {
            case EADDRINUSE: "The port is taken by another program. Choose another one with \(option)."
            case EACCES: "Ports below 1024 need special rights. Choose another one with \(option)."
            case EADDRNOTAVAIL: "This machine has no such address. Check --host."
            default: String(cString: strerror(code)) + "."
            }
        }

        private func cannotListen(_ advice: String, _ error: any Error) -> StenoError {
            StenoError(
                .invalidOption, "The server cannot listen on \(host), port \(port). \(advice)", underlying: error)
        }
    }

    /// A service whose errors name the address that it listens on.
    struct ListeningService: Service {
        let base: any Service
        let place: ListeningPlace

        func run() async throws {
            do { try await base.run() } catch { throw place.explained(error) }
        }
    }

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
