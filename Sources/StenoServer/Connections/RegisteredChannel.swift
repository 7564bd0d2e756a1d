#if Server
    package import HummingbirdCore
    package import Logging
    package import NIOCore

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

    @available(macOS 14, iOS 17, *)
    extension HTTPServerBuilder {
        /// The same server, whose connections are in a register.
        func registered(in register: ConnectionRegister) -> HTTPServerBuilder {
            HTTPServerBuilder { responder in try buildChildChannel(responder).registered(in: register) }
        }
    }

    extension ServerChildChannel {
        fileprivate func registered(in register: ConnectionRegister) -> any ServerChildChannel {
            RegisteredChannel(self, register)
        }
    }
#endif
