#if canImport(FoundationNetworking)
    import Dispatch
    import Foundation

    /// The queue on which a session calls its delegate; it makes the session wait when the delegate falls behind.
    ///
    /// FoundationNetworking enqueues every 16 KB that arrive for the delegate and reads on, however many are waiting:
    /// with a network faster than the disk, most of a file would be in memory. While this queue is full, the session
    /// stops reading from its sockets, and TCP makes the server wait. On Apple systems sessions pace themselves.
    ///
    /// Blocks on this queue must not wait for the session, as `URLSessionTask.cancel()` does.
    final class PacedQueue: OperationQueue, @unchecked Sendable {
        // Sendable: the semaphore is its only mutable state.
        private let room: DispatchSemaphore

        /// - Parameter limit: The number of calls that may wait, with at most 16 KB each.
        init(limit: Int = 256) {
            room = DispatchSemaphore(value: limit)
            super.init()
            maxConcurrentOperationCount = 1
        }

        override func addOperation(_ block: @escaping @Sendable () -> Void) {
            // A block that the delegate adds from this queue would wait for itself.
            guard OperationQueue.current !== self else { return super.addOperation(block) }
            room.wait()
            super.addOperation { [room] in
                block()
                room.signal()
            }
        }
    }
#endif
