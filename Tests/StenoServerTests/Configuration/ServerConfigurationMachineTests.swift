#if Server
    import StenoCore
    import StenoServer
    import Testing

    /// What makes a difference is a core with hyper-threads, or a control group with a CPU quota.
    @Suite("What a server takes of the machine")
    struct ServerConfigurationMachineTests {
        private let cores = WorkerPool.shared.threads

        @Test("A decoding has the cores that the CPU quota allows, at most four")
        func threads() {
            #expect(SpeechServer.Configuration().decodingThreads == min(4, cores))
        }

        @Test("All decodings together have no more threads than there are cores", arguments: [nil, 1, 2, 3, 1000])
        func width(threads: Int?) {
            var configuration = SpeechServer.Configuration()
            configuration.threads = threads
            #expect(threads == nil || configuration.decodingThreads == threads)
            let width = configuration.decodingWidth
            #expect(width == 1 || width * configuration.decodingThreads <= cores)
            #expect((width + 1) * configuration.decodingThreads > cores)
        }
    }
#endif
