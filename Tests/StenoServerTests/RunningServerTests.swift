#if Server
    import Foundation
    import Logging
    import NIOCore
    import NIOPosix
    import Steno
    import StenoCompute
    import StenoCore
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    @Suite("Starting a server", .timeLimit(.minutes(15))) struct RunningServerTests {
        private func failure(_ configure: (inout SpeechServer.Configuration) -> Void) async -> StenoError? {
            let running = TestServer.make(configure: configure)
            return await #expect(throws: StenoError.self) { try await running.run() }
        }

        @Test func aTakenPortIsNamedTogetherWithItsOption() async throws {
            let other = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .bind(host: "127.0.0.1", port: 0).get()
            let port = try #require(other.localAddress?.port)
            for (option, configure) in [
                ("--port", { $0.port = port }), ("--wyoming", { $0.wyomingPort = port }),
            ] as [(String, (inout SpeechServer.Configuration) -> Void)] {
                let error = await failure(configure)
                #expect(error?.code == .invalidOption && error?.message.contains("port \(port).") == true)
                #expect(error?.message.hasSuffix("Choose another one with \(option).") == true)
            }
            try await other.close()
            // Too long for a name, so that no name server is asked.
            let unresolved = await failure { $0.host = String(repeating: "x", count: 64) }
            #expect(unresolved?.code == .invalidOption && unresolved?.message.contains("--host") == true)
        }

        @Test func withItsIdleModelUnloadedTheServerIsReadyAndReloadsIt() async throws {
            let server = try await TestServer.run { $0.unloadAfter = 0 }
            let models = server.running.context.models
            for _ in 0..<2 {
                try await waitWhile(await !models.loadedNames.isEmpty)
                #expect(try await server.send(.get("/ready")).status == 200)
                #expect(try await server.send(.upload()).status == 200)
            }
        }

        @Test func aConfigurationWithoutLimitsWorks() async throws {
            let server = try await TestServer.run {
                $0.maximumUpload = .max
                $0.timeouts.header = .infinity
                $0.timeouts.body = .infinity
                $0.timeouts.idle = .infinity
                $0.timeouts.shutdown = .infinity
                $0.unloadAfter = .infinity
            }
            #expect(try await server.send(.upload()).status == 200)
        }

        @Test func aConnectionsFirstHeaderHasTheHeaderTimeout() async throws {
            let server = try await TestServer.run {
                $0.timeouts.header = 0.01
                $0.timeouts.idle = 1e6
            }
            let client = try await SocketClient.connect(holding: server.task)
            #expect(try await !client.more())
        }
    }

    struct ServerConfigurationTests {
        /// Fewer than the processors if there are hyper-threads or a CPU quota.
        private let cores = WorkerPool.shared.threads

        @Test(arguments: [nil, 1, 2, 3, 1000])
        func concurrentTranscriptionsUseNoMoreThreadsThanThereAreCores(threads: Int?) {
            var configuration = SpeechServer.Configuration()
            configuration.threads = threads
            #expect(configuration.decodingThreads == threads ?? min(4, cores))
            let width = configuration.decodingWidth
            #expect(width == 1 || width * configuration.decodingThreads <= cores)
            #expect((width + 1) * configuration.decodingThreads > cores)
        }

        /// At debug level the log contains the descriptions of services.
        @Test func descriptionsContainNoKeys() {
            var configuration = SpeechServer.Configuration()
            configuration.apiKeys = ["correct horse battery staple"]
            let context = serverContext(configure: { $0.apiKeys = ["correct horse battery staple"] })
            let services = [WyomingServer(context, host: "localhost", port: 0)]
            for text in [
                "\(SpeechServer(configuration: configuration))", "\(services)", String(reflecting: context),
                String(reflecting: configuration),
            ] {
                #expect(!text.contains("correct horse") && !text.contains("SHA256"))
            }
        }
    }

    @Suite("Running a server", .timeLimit(.minutes(15))) struct StatusTests {

        @Test func metricsCountTheRequestsByRouteAndStatusAndNeverByThePath() async throws {
            let server = try await TestServer.run()
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
            #expect(text.contains("steno_model_loaded{model=\"scripted\"} 1\n") && !text.contains("secret"))
        }

        @Test func wrongAndMalformedRequestsAreRefusedAndTheServerAnswersTheNext() async throws {
            let server = try await TestServer.run()
            let missing = try await server.send(.get("/v1/completions"))
            #expect(missing.status == 404 && missing.error["code"] as? String == "unknown_url")
            let wrong = try await server.send(.get("/v1/audio/transcriptions"))
            #expect(wrong.status == 405 && wrong.headers["allow"] == "POST")
            #expect(try await server.send(RawRequest(method: "HEAD", path: "/health")).status == 200)
            for request in [
                "GET\r\n\r\n", "\0\0\0\0\r\n\r\n",
                "POST /v1/audio/transcriptions HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
                "GET /health HTTP/1.1\r\n" + String(repeating: "a: b\r\n", count: 2000) + "\r\n",
                "GET /health HTTP/1.1\r\nX: " + String(repeating: "y", count: 100_000) + "\r\n\r\n",
                "GET /" + String(repeating: "y", count: 100_000) + " HTTP/1.1\r\n\r\n",
            ] {
                let response = try? await server.exchange(Array(request.utf8))
                #expect((response?.status ?? 400) >= 400)
            }
            #expect(try await server.send(.get("/health")).status == 200)
        }

        @Test func theLogContainsTheRequestsIdAndRouteButNoTextOrFileNames() async throws {
            let lines = LogLines()
            let server = try await TestServer.run(logger: Logger(label: "test") { _ in lines })
            let response = try await server.send(.upload(fields: [("prompt", "secret prompt")]))
            #expect(response.status == 200)
            let text = lines.text
            #expect(text.contains("route=/v1/audio/transcriptions"))
            #expect(text.contains(response.headers["x-request-id"] ?? "?"))
            #expect(!text.contains("one") && !text.contains("secret") && !text.contains("a.wav"))
        }

        @Test func aGracefulShutdownOnlyFinishesTheRunningRequest() async throws {
            let model = GatedModel()
            let server = ShutdownServer(model: model)
            try await server.run { server, stop in
                async let response = server.send(.upload())
                await model.started.wait()
                await stop()
                try await waitWhile(!server.running.context.admission.isClosed)
                model.open()
                let status = try await response.status
                #expect(status == 200)
            }
        }
    }

    @Suite("The log of a server that stops", .timeLimit(.minutes(15))) struct QuietEndTests {
        private let lines = LogLines()

        @Test func stoppingAServerThatAcceptsConnectionsLogsNoError() async throws {
            var logger = Logger(label: "test") { [lines] _ in lines }
            logger.logLevel = .warning
            let server = try await TestServer.run(logger: logger)
            #expect(try await server.send(.get("/health")).status == 200)
            await server.task.cancel()
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

    @Suite("Prometheus' text format") struct ServerMetricsTests {
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
