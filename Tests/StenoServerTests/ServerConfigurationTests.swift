#if Server
    import StenoCompute
    import StenoCore
    import Testing

    @testable import StenoServer

    struct ServerConfigurationTests {
        /// Fewer than the processors if there are hyper-threads or a CPU quota.
        private let cores = WorkerPool.shared.threads

        @Test("A transcription uses the cores that the CPU quota allows, at most four")
        func threads() { #expect(SpeechServer.Configuration().decodingThreads == min(4, cores)) }

        @Test("Concurrent transcriptions use no more threads than there are cores", arguments: [nil, 1, 2, 3, 1000])
        func width(threads: Int?) {
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
