#if Server
    import Foundation
    import Hummingbird
    import HummingbirdCore
    import HummingbirdTLS
    package import Logging
    package import NIOCore
    import NIOPosix
    import NIOSSL
    import ServiceLifecycle
    import Steno
    import StenoCore

    /// A server, assembled from its parts.
    @available(macOS 14, iOS 17, *)
    package struct RunningServer: Sendable {
        package let context: ServerContext
        package let connections: ConnectionRegister
        private let configuration: SpeechServer.Configuration
        private let realtime: RealtimeEndpoint
        let router: ServerRouter

        /// Assembles a server without starting it.
        ///
        /// - Parameter loop: The event loop that times the unloading of idle models.
        package init(
            _ configuration: SpeechServer.Configuration, models: ServedModels, logger: Logger,
            loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()
        ) {
            var configuration = configuration
            // Keeps the arithmetic on sizes below from overflowing, whatever limit was given.
            configuration.maximumUpload = max(0, min(configuration.maximumUpload, 1 << 56))
            let width = configuration.decodingWidth
            let limits = Admission.Limits(
                liveSessions: configuration.maximumSessions ?? 1,
                sessionsPerAddress: configuration.maximumSessionsPerAddress, runningFiles: configuration.runningFiles,
                waitingFiles: configuration.maximumWaitingFiles)
            let metrics = ServerMetrics()
            let idleUnloading = configuration.unloadAfter.map {
                ModelHost.IdleUnloading(after: ConnectionGuard.Times.amount($0), loop: loop)
            }
            context = ServerContext(
                configuration,
                models: ModelHost(
                    catalog: models.reporting(to: logger), turns: ComputeTurns(width: width),
                    memoryLimit: configuration.memoryLimit, idleUnloading: idleUnloading, metrics: metrics),
                admission: Admission(limits: limits), metrics: metrics, logger: logger)
            realtime = RealtimeEndpoint(context, captions: configuration.captions)
            connections = ConnectionRegister(limit: configuration.maximumConnections)
            router = ServerRouter(
                server: context, configuration: configuration, connections: connections, realtime: realtime,
                // Room for eight uploads of full size; small ones rarely run out of it.
                uploads: UploadBudget(limit: configuration.maximumUpload * 8))
            self.configuration = configuration
        }

        /// Loads the default model, listens, and runs until the server stops.
        ///
        /// - Throws: As ``SpeechServer/run(logger:onStart:)``.
        package func run(onStart: @escaping @Sendable (SpeechServer.Status) async -> Void = { _ in }) async throws {
            // First, so that a missing file is reported before a model is loaded.
            let router = try router.router()
            // The default model stays loaded, so that no client waits for it, unless idle models are unloaded.
            let lease = try await context.models.lease(nil)
            defer { lease.close() }
            try checkLanguage(lease)
            await measure()
            if configuration.unloadAfter != nil { lease.close() }
            let app = try application(router) { port in await onStart(status(port)) }
            let http = listening(app, port: configuration.port, option: "--port")
            // Services shut down in reverse order: sessions without a connection after all connections.
            let services = [LiveFeedService(feeds: realtime.feeds), http] + wyoming
            let group = ServiceGroup(configuration: groupConfiguration(services))
            let end: Result<Void, any Error>
            do {
                try await withGracefulShutdownHandler {
                    try await group.run()
                } onGracefulShutdown: { [admission = context.admission] in
                    admission.close()
                }
                end = .success(())
            } catch { end = .failure(error) }
            await realtime.feeds.abandonAll()
            await configuration.captions?.archive?.wait()
            try end.get()
        }

        /// Refuses a captions language that the model does not know.
        private func checkLanguage(_ lease: ModelLease) throws {
            guard let language = configuration.captions?.language,
                !lease.transcriber.model.information.languages.contains(language)
            else { return }
            throw StenoError(
                .unknownLanguage,
                "The model \(lease.name) does not know the language “\(language)”. Choose another model (--model), or "
                    + "leave --language out.")
        }

        // MARK: Capacity

        /// Sets the limit of live sessions from the speed of the model on this machine.
        private func measure() async {
            guard configuration.maximumSessions == nil else { return }
            var limits = context.admission.limits
            let factor = try? await context.models.measureRealTimeFactor(nil)
            limits.liveSessions = LiveCapacity.sessions(realTimeFactor: factor, width: configuration.decodingWidth)
            context.admission.update(limits)
        }

        // MARK: Parts

        private func application(
            _ router: Router<ServerRequestContext>, _ onStart: @escaping @Sendable (Int) async -> Void
        ) throws -> some ApplicationProtocol {
            var logger = context.logger
            logger.handler = QuietEnd(logger.handler)
            return Application(
                router: router, server: try server(),
                configuration: ApplicationConfiguration(
                    address: .hostname(configuration.host, port: configuration.port), serverName: nil, backlog: 1024),
                onServerRunning: { channel in await onStart(channel.localAddress?.port ?? configuration.port) },
                logger: logger)
        }

        /// Builds connections: the register, TLS if configured, and HTTP.
        private func server() throws -> HTTPServerBuilder {
            let times = ConnectionGuard.Times(configuration.timeouts)
            let limits = HTTP1Channel.Configuration.DecoderConfiguration(
                maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 64 << 10, maxHeaderFieldCount: 100)
            let tls = try ServerCertificate(
                certificate: configuration.certificateFile, privateKey: configuration.privateKeyFile)?.configuration
            return HTTPServerBuilder { [connections, realtime] responder in
                let http = WebSocketHTTPChannel(
                    responder: responder,
                    configuration: HTTP1Channel.Configuration(
                        additionalChannelHandlers: [ConnectionGuard(times: times, register: connections)],
                        idleTimeout: max(times.header, times.idle), httpDecoderConfiguration: limits),
                    limits: WebSocketLimits(), patience: times.header,
                    // From then on the connection counts as busy, however long it is silent.
                    onUpgrade: { connections.set(.responding, of: $0) }, route: realtime.decide)
                guard let tls else { return RegisteredChannel(http, connections) }
                return RegisteredChannel(try TLSChannel(http, tlsConfiguration: tls), connections)
            }
        }

        /// The Wyoming service, if it has a port.
        private var wyoming: [any Service] {
            configuration.wyomingPort.map {
                [listening(WyomingServer(context, host: configuration.host, port: $0), port: $0, option: "--wyoming")]
            } ?? []
        }

        private func listening(_ service: any Service, port: Int, option: String) -> any Service {
            ListeningService(base: service, place: ListeningPlace(host: configuration.host, port: port, option: option))
        }

        private func groupConfiguration(_ services: [any Service]) -> ServiceGroupConfiguration {
            var group = ServiceGroupConfiguration(services: services, logger: context.logger)
            group.maximumGracefulShutdownDuration = Duration(
                ConnectionGuard.Times.amount(configuration.timeouts.shutdown))
            return group
        }

        private func status(_ port: Int) -> SpeechServer.Status {
            let host = configuration.host.contains(":") ? "[\(configuration.host)]" : configuration.host
            let scheme = configuration.certificateFile == nil ? "http" : "https"
            return SpeechServer.Status(
                port: port, url: "\(scheme)://\(host):\(port)/v1", models: context.models.names,
                liveSessions: context.admission.limits.liveSessions, wyomingPort: configuration.wyomingPort)
        }
    }
#endif
