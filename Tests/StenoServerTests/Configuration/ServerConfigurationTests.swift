#if Server
    import Testing

    @testable import StenoServer

    struct ServerConfigurationTests {
        /// The log of the level debug has the descriptions of services.
        @Test func nothingThatIsDescribedHasAKey() {
            var configuration = SpeechServer.Configuration()
            configuration.apiKeys = ["correct horse battery staple"]
            let context = serverContext(configuration)
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
