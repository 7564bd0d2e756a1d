#if Server
    import Foundation
    import Hummingbird

    /// `/health`, `/ready` and `/metrics`: for those who run the server.
    @available(macOS 14, iOS 17, *)
    struct StatusEndpoint: Sendable {
        let server: ServerContext
        let connections: ConnectionRegister

        var routes: [Route] {
            [
                Route("/health", for: .everyone, isRoutine: true, [.get: { _, _ in health() }]),
                Route("/ready", for: .everyone, isRoutine: true, [.get: { _, _ in await ready() }]),
                Route("/metrics", isRoutine: true, [.get: { _, _ in await metrics() }]),
            ]
        }

        private func health() -> Response { .json(["status": "ok"]) }

        /// Reports whether work is admitted: the default model can be loaded, and the server is not shutting down.
        private func ready() async -> Response {
            let canBeLoaded = await server.models.hasBeenLoaded(server.models.names[0])
            guard canBeLoaded, !server.admission.isClosed else {
                return .json(["status": "not ready"], status: .serviceUnavailable)
            }
            return .json(["status": "ready"])
        }

        private func metrics() async -> Response {
            let load = server.admission.load
            let loaded = await server.models.loadedNames
            let values: [MetricReading] =
                [
                    MetricReading(.liveSessions, Double(load.liveSessions)),
                    MetricReading(.liveLimit, Double(server.admission.limits.liveSessions)),
                    MetricReading(.runningFiles, Double(load.runningFiles)),
                    MetricReading(.waitingFiles, Double(load.waitingFiles)),
                    MetricReading(.connections, Double(connections.count)),
                ] + loaded.map { MetricReading(.modelLoaded, 1, labels: ["model": $0]) }
            return .data(
                Data(server.metrics.text(adding: values).utf8), type: "text/plain; version=0.0.4; charset=utf-8")
        }
    }
#endif
