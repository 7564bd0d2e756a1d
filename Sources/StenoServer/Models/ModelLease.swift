#if Server
    package import Steno

    /// A loaded model in use: it is not unloaded before the lease is closed.
    ///
    /// A lease without references is closed.
    package final class ModelLease: Sendable {
        /// The name of the model as the server lists it.
        package let name: String
        /// Transcribes with the model, in turn with all other work of the server.
        package let transcriber: Transcriber

        private let end: Once

        package init(name: String, transcriber: Transcriber, onClose: @escaping @Sendable () -> Void) {
            self.name = name
            self.transcriber = transcriber
            end = Once(onClose)
        }

        deinit { end.run() }

        /// Allows the model to be unloaded a moment later; a second call does nothing.
        package func close() { end.run() }

        /// Leaves the end to the caller; returns whether it had not been closed.
        func withdraw() -> Bool { end.cancel() }
    }
#endif
