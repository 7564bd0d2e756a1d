#if Server
    import NIOCore
    import NIOPosix
    import Steno
    import StenoCompute
    import StenoCore
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    @Suite("Starting a server", .timeLimit(.minutes(15)))
    struct RunningServerTests {
        private func failure(_ configure: (inout SpeechServer.Configuration) -> Void) async -> StenoError? {
            let running = TestServer.make(configure: configure)
            return await #expect(throws: StenoError.self) { try await running.run() }
        }

        @Test func aTakenPortIsNamedTogetherWithItsOption() async throws {
            let other = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .bind(host: "127.0.0.1", port: 0).get()
            let port = try #require(other.localAddress?.port)
            let ofHTTP = await failure { $0.port = port }
            let ofWyoming = await failure { $0.wyomingPort = port }
            for (error, option) in [(ofHTTP, "--port"), (ofWyoming, "--wyoming")] {
                #expect(error?.code == .invalidOption)
                #expect(error?.message.contains("port \(port).") == true)
                #expect(error?.message.hasSuffix("Choose another one with \(option).") == true)
            }
            try await other.close()
        }

        @Test func anUnresolvableHostIsAnInvalidOption() async {
            // Too long for a name, so that no name server is asked.
            let error = await failure { $0.host = String(repeating: "x", count: 64) }
            #expect(error?.code == .invalidOption)
            #expect(error?.message.contains("--host") == true)
        }

        @Test func withItsIdleModelUnloadedTheServerIsReadyAndReloadsIt() async throws {
            try await TestServer.run(configure: { $0.unloadAfter = 0 }) { server in
                let models = server.running.context.models
                for _ in 0..<2 {
                    try await waitWhile(await !models.loadedNames.isEmpty)
                    #expect(try await server.send(.get("/ready")).status == 200)
                    #expect(try await server.send(.upload()).status == 200)
                }
            }
        }

        @Test func aConfigurationWithoutLimitsWorks() async throws {
            try await TestServer.run(configure: {
                $0.maximumUpload = .max
                $0.timeouts.header = .infinity
                $0.timeouts.body = .infinity
                $0.timeouts.idle = .infinity
                $0.timeouts.shutdown = .infinity
                $0.unloadAfter = .infinity
            }) { server in
                let answer = try await server.send(.upload())
                #expect(answer.status == 200)
            }
        }

        @Test func aConnectionsFirstHeaderHasTheHeaderTimeout() async throws {
            try await TestServer.run(configure: {
                $0.timeouts.header = 0.01
                $0.timeouts.idle = 1e6
            }) { server in
                try await SocketClient.connect(server.port) { client in
                    let isSilent = try await !client.more()
                    #expect(isSilent)
                }
                try Task.checkCancellation()
            }
        }
    }

    struct ServerConfigurationTests {
        /// Fewer than the processors if there are hyper-threads or a CPU quota.
        private let cores = WorkerPool.shared.threads

        @Test func aTranscriptionUsesAtMostFourCoresThatTheQuotaAllows() {
            #expect(SpeechServer.Configuration().decodingThreads == min(4, cores))
        }

        @Test(arguments: [nil, 1, 2, 3, 1000])
        func concurrentTranscriptionsUseNoMoreThreadsThanThereAreCores(threads: Int?) {
            var configuration = SpeechServer.Configuration()
            configuration.threads = threads
            #expect(threads == nil || configuration.decodingThreads == threads)
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
#endif
