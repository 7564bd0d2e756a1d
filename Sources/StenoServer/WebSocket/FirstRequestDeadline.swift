#if Server
import NIOCore

/// Closes a connection whose first request does not come in time, or not before the server shuts down.
final class FirstRequestDeadline: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private let time: TimeAmount?
    private var deadline: Scheduled<Void>?

    /// - Parameter time: Nil waits for as long as the client likes.
    init(_ time: TimeAmount?) { self.time = time }

    func handlerAdded(context: ChannelHandlerContext) {
        guard let time else { return }
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: time) { context.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }
}

@available(*, unavailable)
extension FirstRequestDeadline: Sendable {}
#endif
