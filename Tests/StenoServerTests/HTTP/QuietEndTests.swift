#if Server
    import Logging
    import Testing

    @testable import StenoServer

    @Suite("The log of a server that stops", .timeLimit(.minutes(15)))
    struct QuietEndTests {
        private let lines = LogLines()

        @Test("Stopping a server that accepts connections logs no error")
        func end() async throws {
            var logger = Logger(label: "test") { [lines] _ in lines }
            logger.logLevel = .warning
            try await TestServer.run(logger: logger) { server in
                let answer = try await server.send(.get("/health"))
                #expect(answer.status == 200)
            }
            #expect(lines.text.isEmpty, "\(lines.text)")
        }

        @Test("Other errors are logged")
        func errors() {
            let logger = Logger(label: "test") { [lines] _ in QuietEnd(lines) }
            for error in ["CancellationError()", "Too many open files"] {
                logger.error("Waiting on child channel: \(error)")
            }
            for error in ["Already closed", "I/O on closed channel"] { logger.error("Server shutdown error: \(error)") }
            logger.info("Server shutdown error: Already closed")
            let expected = [
                "Waiting on child channel: Too many open files", "Server shutdown error: I/O on closed channel",
                "Server shutdown error: Already closed",
            ]
            #expect(lines.text == expected.joined(separator: "\n"))
        }
    }
#endif
