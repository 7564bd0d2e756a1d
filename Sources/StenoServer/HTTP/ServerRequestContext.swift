#if Server
    package import Hummingbird
    import Logging
    package import NIOCore

    /// What belongs to one request: its log, its id, its connection.
    @available(macOS 14, iOS 17, *)
    package struct ServerRequestContext: RequestContext {
        package var coreContext: CoreRequestContextStorage
        /// The connection.
        package let channel: any Channel
        /// The id of the request in the log and the response.
        package let requestID: String

        package init(source: ApplicationRequestContextSource) {
            coreContext = CoreRequestContextStorage(source: source)
            channel = source.channel
            // A log that keeps no metadata has none; Hummingbird's own `id` would end the process.
            requestID = source.logger[metadataKey: "hb.request.id"]?.description ?? "\(RequestID())"
        }
    }
#endif
