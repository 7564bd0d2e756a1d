#if Server
    import Foundation
    import Logging
    import ServiceLifecycle
    import StenoCore
    import StenoTestSupport

    @testable import StenoServer

    /// A server that is asked to shut down.
    struct ShutdownServer {
        private struct RunningService: Service {
            let running: RunningServer
            let onStart: @Sendable (Int) -> Void

            func run() async throws { try await running.run { onStart($0.port) } }
        }

        let model: any SpeechModel
        var configure: @Sendable (inout SpeechServer.Configuration) -> Void = { _ in }

        /// Runs a server that `body` can stop; it ends after `body`.
        func run(_ body: (TestServer, @escaping @Sendable () async -> Void) async throws -> Void) async throws {
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let running = TestServer.make(models: [("gated", model)], logger: logger) {
                $0.maximumSessions = 1
                configure(&$0)
            }
            // Each run makes its own group, since the service must know where to report its port.
            let (groups, input) = AsyncStream.makeStream(of: ServiceGroup.self)
            try await TestServer.start(running) { onStart in
                let group = ServiceGroup(services: [RunningService(running: running, onStart: onStart)], logger: logger)
                input.yield(group)
                try await group.run()
            } body: { server, task in
                var iterator = groups.makeAsyncIterator()
                guard let group = await iterator.next() else { return }
                try await body(server) { await group.triggerGracefulShutdown() }
                try await task.value
            }
        }
    }

    extension TestServer {
        /// Returns once the server accepts no more work.
        func closed() async throws { try await waitWhile(!running.context.admission.isClosed) }
    }
#endif
