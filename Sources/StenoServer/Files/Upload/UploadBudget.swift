#if Server
    import StenoCore

    /// The bytes that all uploads together may take, on disk or in memory.
    package final class UploadBudget: Sendable {
        private let limit: Int
        private let taken = Monitor(0)

        package init(limit: Int) { self.limit = limit }

        package var used: Int { taken.current }

        /// Takes bytes; returns false, and takes none, if there are not enough.
        func take(_ count: Int) -> Bool {
            taken.update { taken in
                guard count <= limit - taken else { return false }
                taken += count
                return true
            }
        }

        func giveBack(_ count: Int) { taken.update { $0 -= count } }
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
