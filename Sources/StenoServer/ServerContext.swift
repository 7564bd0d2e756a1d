#if Server
    package import Logging

    /// What a server's endpoints share.
    @available(macOS 14, iOS 17, *)
    package struct ServerContext: Sendable {
        package let configuration: SpeechServer.Configuration
        package let models: ModelHost
        package let admission: Admission
        package let access: AccessPolicy
        package let metrics: ServerMetrics
        package let logger: Logger
    }
#endif
