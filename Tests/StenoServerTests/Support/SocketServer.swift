#if Server
    import Foundation
    import HTTPTypes
    import HummingbirdCore
    import Logging
    import NIOCore
    import NIOEmbedded
    import NIOPosix
    import ServiceLifecycle
    import Steno
    import StenoCore
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    typealias Hearing = SecondFamilyModel.Hearing

    /// A server context with a scripted model.
    ///
    /// - Parameter hearing: How the model hears live audio, unless there is another model.
    func serverContext(
        configure: (inout SpeechServer.Configuration) -> Void = { _ in }, sessions: Int = 4,
        hearing: Hearing = .repeated, model: (any SpeechModel)? = nil, models host: ModelHost? = nil
    ) -> ServerContext {
        var configuration = SpeechServer.Configuration()
        configure(&configuration)
        let models = ServedModels(names: ["scripted"]) { _ in model ?? SecondFamilyModel(hearing: hearing) }
        return ServerContext(
            configuration, models: host ?? ModelHost(catalog: models, turns: ComputeTurns()),
            admission: Admission(limits: .init(liveSessions: sessions)), metrics: ServerMetrics(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    /// A session of live text in a context.
    func liveFeed(
        _ context: ServerContext, _ loop: NIOAsyncTestingEventLoop = NIOAsyncTestingEventLoop(), id: String = "s",
        onEnd: @escaping @Sendable () -> Void = {}
    ) async throws -> LiveFeed {
        try await LiveFeed(
            id: id, context.models, LiveFeedOptions(), context.admission.admitLive(), loop: loop, onEnd: onEnd)
    }

    extension WebSocketLimits {
        /// Limits for clients in busy test runs, which may not read or answer for minutes.
        static var patient: Self {
            var limits = Self()
            (limits.idle, limits.patience) = (.hours(24), .hours(24))
            return limits
        }
    }

    /// A server of WebSockets.
    func socketServer(
        limits: WebSocketLimits = .patient, route: @escaping WebSocketHTTPChannel.Route
    ) async throws -> ServerTask {
        let ports = AsyncStream.makeStream(of: Int.self)
        let builder = HTTPServerBuilder { responder in
            WebSocketHTTPChannel(
                responder: responder, configuration: HTTP1Channel.Configuration(), limits: limits, patience: nil,
                onUpgrade: { _ in }, route: route)
        }
        let server = try builder.buildServer(
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            responder: { request, writer, _ in
                try await writer.write(
                    response: HTTPResponse(status: .ok),
                    body: ResponseBody(byteBuffer: ByteBuffer(string: request.uri.path)))
            },
            onServerRunning: { ports.continuation.yield($0.localAddress?.port ?? 0) })
        return try await ServerTask(ports) { try await server.run() }
    }

    /// Samples as the 16-bit little-endian bytes that clients send.
    func bytes16(_ samples: [Float]) -> Data {
        var bytes: [UInt8] = []
        for sample in samples { bytes.append(littleEndian: sample.pcm16) }
        return Data(bytes)
    }
#endif
