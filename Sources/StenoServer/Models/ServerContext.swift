#if Server
    package import Logging

    /// What a server's endpoints share: its models, and the limits under which they work.
    package struct ServerContext: Sendable {
        package let models: ModelHost
        package let admission: Admission
        package let access: AccessPolicy
        package let metrics: ServerMetrics
        package let logger: Logger
        let timeouts: ServerTimeouts
        let maximumConnections: Int
        let maximumWatchers: Int

        /// Takes a place for a live session, or counts that it was refused.
        ///
        /// - Parameter address: The client's address or network; nil for one on this machine.
        /// - Throws: ``ServerError`` `busy` or `shuttingDown`.
        func admitLive(from address: String?) throws(ServerError) -> AdmissionTicket {
            do { return try admission.admitLive(from: address) } catch {
                metrics.add(.refused, labels: ["kind": "live"])
                throw error
            }
        }
    }
#endif
