#if canImport(FoundationNetworking)
    import Dispatch
    import Foundation

    /// The queue on which a session calls its delegate; it makes the session wait when the delegate has fallen behind.
    ///
    /// FoundationNetworking puts every 16 KB that arrive into the delegate's queue and reads on, however many wait there: with a
    /// network faster than the disk, most of a file would be in memory. While this queue is full, the session reads nothing
    /// from its sockets, and TCP makes the server wait. On Apple systems sessions pace themselves.
    ///
    /// What runs on this queue must not wait for the session, as `URLSessionTask.cancel()` does.
    final class PacedQueue: OperationQueue, @unchecked Sendable {
        // Sendable: it has nothing that changes but the semaphore.
        private let room: DispatchSemaphore

        /// - Parameter limit: The number of calls that may wait; a call has 16 KB at most.
        init(limit: Int = 256) {
            room = DispatchSemaphore(value: limit)
            super.init()
            maxConcurrentOperationCount = 1
        }

        override func addOperation(_ block: @escaping @Sendable () -> Void) {
            // One that the delegate causes itself would wait for itself.
            guard OperationQueue.current !== self else { return super.addOperation(block) }
            room.wait()
            super.addOperation { [room] in
                block()
                room.signal()
            }
        }
    }
#endif
