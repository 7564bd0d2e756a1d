#if Server
    import Foundation
    import Logging
    import NIOCore
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    @Suite("Running a server", .timeLimit(.minutes(15)))
    struct StatusTests {

        @Test func metricsCountTheRequestsByRouteAndStatusAndNeverByThePath() async throws {
            try await TestServer.run { server in
                // For HTTP 1.0 the end of the connection ends the response.
                let old = "GET /health HTTP/1.0\r\nHost: localhost\r\n\r\n"
                #expect(try await server.exchange(Array(old.utf8)).status == 200)
                _ = try await server.send(.upload())
                _ = try await server.send(.get("/secret-path"))
                let text = try await server.send(.get("/metrics")).text
                #expect(
                    text.contains(
                        "steno_http_requests_total{method=\"POST\",route=\"/v1/audio/transcriptions\",status=\"200\"} 1\n"
                    ))
                #expect(
                    text.contains("steno_http_requests_total{method=\"GET\",route=\"unmatched\",status=\"404\"} 1\n"))
                #expect(text.contains("# TYPE steno_http_request_seconds histogram\n"))
                #expect(text.contains("steno_audio_seconds_total{kind=\"file\"} 3\n"))
                #expect(text.contains("steno_live_sessions_limit 2\n"))
                #expect(text.contains("steno_model_loaded{model=\"scripted\"} 1\n"))
                #expect(!text.contains("secret"))
            }
        }

        @Test func anUnknownPathIs404AndAWrongMethod405BothInOpenAIsFormat() async throws {
            try await TestServer.run { server in
                let missing = try await server.send(.get("/v1/completions"))
                #expect(missing.status == 404)
                #expect(missing.error["code"] as? String == "unknown_url")
                let wrong = try await server.send(.get("/v1/audio/transcriptions"))
                #expect(wrong.status == 405)
                #expect(wrong.headers["allow"] == "POST")
                #expect(try await server.send(RawRequest(method: "HEAD", path: "/health")).status == 200)
            }
        }

        @Test func theLogContainsTheRequestsIdAndRouteButNoTextOrFileNames() async throws {
            let lines = LogLines()
            try await TestServer.run(logger: Logger(label: "test") { _ in lines }) { server in
                let response = try await server.send(.upload(fields: [("prompt", "secret prompt")]))
                #expect(response.status == 200)
                let text = lines.text
                #expect(text.contains("route=/v1/audio/transcriptions"))
                #expect(text.contains(response.headers["x-request-id"] ?? "?"))
                #expect(!text.contains("one") && !text.contains("secret") && !text.contains("a.wav"))
            }
        }

        @Test func aGracefulShutdownOnlyFinishesTheRunningRequest() async throws {
            let model = GatedModel()
            let server = ShutdownServer(model: model)
            try await server.run { server, stop in
                async let response = server.send(.upload())
                await model.started.wait()
                await stop()
                try await server.closed()
                model.open()
                let status = try await response.status
                #expect(status == 200)
            }
        }

        @Test func malformedRequestsAreRefusedAndTheServerAnswersTheNext() async throws {
            try await TestServer.run { server in
                let requests = [
                    "GET\r\n\r\n", "\0\0\0\0\r\n\r\n",
                    "POST /v1/audio/transcriptions HTTP/1.1\r\nHost: localhost\r\n"
                        + "Content-Length: -1\r\n\r\n",
                    "GET /health HTTP/1.1\r\n" + String(repeating: "a: b\r\n", count: 2000) + "\r\n",
                    "GET /health HTTP/1.1\r\nX: " + String(repeating: "y", count: 100_000) + "\r\n\r\n",
                    "GET /" + String(repeating: "y", count: 100_000) + " HTTP/1.1\r\n\r\n",
                ]
                for request in requests {
                    let response = try? await server.exchange(Array(request.utf8))
                    #expect((response?.status ?? 400) >= 400)
                }
                let answer = try await server.send(.get("/health"))
                #expect(answer.status == 200)
            }
        }
    }

    @Suite("The log of a server that stops", .timeLimit(.minutes(15)))
    struct QuietEndTests {
        private let lines = LogLines()

        @Test func stoppingAServerThatAcceptsConnectionsLogsNoError() async throws {
            var logger = Logger(label: "test") { [lines] _ in lines }
            logger.logLevel = .warning
            try await TestServer.run(logger: logger) { server in
                let answer = try await server.send(.get("/health"))
                #expect(answer.status == 200)
            }
            #expect(lines.text.isEmpty, "\(lines.text)")
        }

        @Test func otherErrorsAreLogged() {
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

    @Suite("Prometheus' text format")
    struct ServerMetricsTests {
        @Test func countersGaugesAndHistogramsFollowTheFormat() {
            let metrics = ServerMetrics()
            let counter = MetricFamily("b_total", "Counts.", .counter)
            metrics.add(counter, 2, labels: ["kind": "a \"quoted\" \\ one\n"])
            metrics.add(counter, 0.5, labels: ["kind": "a \"quoted\" \\ one\n"])
            let histogram = MetricFamily("a_seconds", "Takes.", .histogram, bounds: [0.1, 1])
            for value in [0.05, 0.5, 2] { metrics.observe(histogram, value, labels: ["route": "/"]) }
            let gauge = MetricFamily("c", "Is.", .gauge)
            #expect(
                metrics.text(adding: [MetricReading(gauge, 7)]) == """
                    # HELP a_seconds Takes.
                    # TYPE a_seconds histogram
                    a_seconds_bucket{route="/",le="0.1"} 1
                    a_seconds_bucket{route="/",le="1"} 2
                    a_seconds_bucket{route="/",le="+Inf"} 3
                    a_seconds_sum{route="/"} 2.55
                    a_seconds_count{route="/"} 3
                    # HELP b_total Counts.
                    # TYPE b_total counter
                    b_total{kind="a \\"quoted\\" \\\\ one\\n"} 2.5
                    # HELP c Is.
                    # TYPE c gauge
                    c 7

                    """)
        }
    }
#endif
