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

        /// Runs a server; `body` can ask it to stop, and has to end for it to end.
        func run(_ body: (TestServer, @escaping @Sendable () async -> Void) async throws -> Void) async throws {
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let running = TestServer.make(models: [("gated", model)], logger: logger) {
                $0.maximumSessions = 1
                configure(&$0)
            }
            // Each run makes its group, since the service has to know whom it reports its port to.
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
        /// Returns when the server takes on no more work.
        func closed() async throws { try await waitWhile(!running.context.admission.isClosed) }
    }
#endif
