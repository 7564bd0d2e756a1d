#if Server
    /// A place among the work that the server does at once; it is free again when the ticket is released or dropped.
    package final class AdmissionTicket: Sendable {
        private let end: Once

        package init(onRelease: @escaping @Sendable () -> Void) { end = Once(onRelease) }

        deinit { end.run() }

        /// Gives the place back; a second call does nothing.
        package func release() { end.run() }
    }
#endif
