#if Server
    import Foundation
    import Logging
    import ServiceLifecycle
    import StenoCore
    import StenoTestSupport
    import Testing

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
            let ports = AsyncStream.makeStream(of: Int.self)
            let service = RunningService(running: running) { ports.continuation.yield($0) }
            let group = ServiceGroup(services: [service], logger: logger)
            let server = TestServer(running: running, task: try await ServerTask(ports) { try await group.run() })
            try await body(server) { await group.triggerGracefulShutdown() }
            try await server.task.finish()
        }
    }

    struct LogLines: LogHandler {
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace
        private let lines = Recorder<String>()

        var text: String { lines.all.joined(separator: "\n") }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let fields = metadata.merging(event.metadata ?? [:]) { $1 }.map { "\($0)=\($1)" }.sorted()
            lines.add(([event.message.description] + fields).joined(separator: " "))
        }
    }

    #if os(Linux) || os(macOS)
        /// `steno-server` as people start it, with the nano model, and its output.
        final class ServerProgram {
            private let program: StartedProgram
            private let errors = OutputReader()

            /// Starts it in a folder, which is its home too.
            init(_ arguments: [String], in folder: TemporaryFolder) throws {
                program = try folder.start(
                    try #require(BuiltTool.executable("steno-server")),
                    arguments + ["--model", Fixtures.nano.path, "--max-sessions", "1"],
                    environment: ["XDG_STATE_HOME": folder.url.path], errors: errors.pipe)
            }

            // A test that failed must not leave it running.
            deinit { if program.process.isRunning { kill(identifier, SIGKILL) } }

            var identifier: Int32 { program.process.processIdentifier }
            var text: String { errors.text }

            /// Waits for a text; false if the program ends first.
            func wait(for text: String) -> Bool { errors.wait(for: text) }

            /// The first address printed after some words.
            func address(after words: String) -> URL? {
                text.firstRange(of: words).flatMap {
                    URL(string: String(text[$0.upperBound...].prefix { !$0.isWhitespace }))
                }
            }

            var exitCode: Int32 {
                _ = errors.readToEnd()
                return program.wait().code
            }
        }
    #endif
#endif
