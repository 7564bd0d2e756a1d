#if Server
    import HummingbirdCore
    import Logging
    import NIOCore

    /// A connection of another kind that is in the register from its first moment, also before TLS and any request.
    struct RegisteredChannel<Base: ServerChildChannel>: ServerChildChannel {
        private let base: Base
        private let register: ConnectionRegister

        init(_ base: Base, _ register: ConnectionRegister) {
            self.base = base
            self.register = register
        }

        func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
            register.add(channel)
            return base.setup(channel: channel, logger: logger)
        }

        func handle(value: Base.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
    }
#endif
