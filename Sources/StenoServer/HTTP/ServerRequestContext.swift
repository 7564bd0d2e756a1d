#if Server
    package import Hummingbird
    package import NIOCore

    /// What belongs to one request: its log, its id, its connection.
    @available(macOS 14, iOS 17, *)
    package struct ServerRequestContext: RequestContext {
        package var coreContext: CoreRequestContextStorage
        /// The connection.
        package let channel: any Channel

        package init(source: ApplicationRequestContextSource) {
            coreContext = CoreRequestContextStorage(source: source)
            channel = source.channel
        }
    }
#endif
