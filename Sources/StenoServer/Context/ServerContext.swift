#if Server
    package import Logging

    /// What every endpoint of a server works with.
    @available(macOS 14, iOS 17, *)
    package struct ServerContext: Sendable {
        package let configuration: SpeechServer.Configuration
        package let models: ModelHost
        package let admission: Admission
        package let access: AccessPolicy
        package let metrics: ServerMetrics
        package let logger: Logger

        package init(
            configuration: SpeechServer.Configuration, models: ModelHost, admission: Admission, access: AccessPolicy,
            metrics: ServerMetrics, logger: Logger
        ) {
            self.configuration = configuration
            self.models = models
            self.admission = admission
            self.access = access
            self.metrics = metrics
            self.logger = logger
        }
    }
#endif
