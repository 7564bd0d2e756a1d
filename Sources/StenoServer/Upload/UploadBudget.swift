#if Server
    import Foundation

    /// The bytes that all uploads together may take, on disk or in memory.
    ///
    /// `@unchecked Sendable`: the count is accessed under the lock.
    package final class UploadBudget: @unchecked Sendable {
        private let lock = NSLock()
        private let limit: Int
        private var taken = 0

        package init(limit: Int) { self.limit = limit }

        package var used: Int { lock.withLock { taken } }

        /// Takes bytes; returns false, and takes none, if there are not enough.
        func take(_ count: Int) -> Bool {
            lock.withLock {
                guard count <= limit - taken else { return false }
                taken += count
                return true
            }
        }

        func giveBack(_ count: Int) { lock.withLock { taken -= count } }
    }

    /// One request's share of a budget, given back when its last reference is dropped.
    ///
    /// `@unchecked Sendable`: only one task takes bytes; afterwards nothing changes.
    final class UploadShare: @unchecked Sendable {
        private let budget: UploadBudget
        private var taken = 0

        init(of budget: UploadBudget) { self.budget = budget }

        deinit { budget.giveBack(taken) }

        /// Takes bytes.
        ///
        /// - Throws: ``ServerError``: 503 when other requests have taken the room.
        func take(_ count: Int) throws(ServerError) {
            guard budget.take(count) else { throw .busy(retryAfter: 10) }
            taken += count
        }
    }
#endif
