#if Server
    import Foundation

    /// The bytes that all uploads together may take on disk.
    ///
    /// `@unchecked Sendable`: the count is accessed under the lock.
    package final class UploadBudget: @unchecked Sendable {
        private let lock = NSLock()
        private let limit: Int
        private var taken = 0

        package init(limit: Int) { self.limit = limit }

        /// The bytes that are taken.
        package var used: Int { lock.withLock { taken } }

        /// Takes bytes; false, and nothing is taken, when there are not so many.
        func take(_ count: Int) -> Bool {
            lock.withLock {
                guard count <= limit - taken else { return false }
                taken += count
                return true
            }
        }

        func giveBack(_ count: Int) { lock.withLock { taken -= count } }
    }
#endif
