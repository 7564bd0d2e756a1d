#if Server
    import Foundation

    /// An action that runs at most once, however often it is called.
    ///
    /// `@unchecked Sendable`: the action is taken under the lock.
    package final class Once: @unchecked Sendable {
        private let lock = NSLock()
        private var action: (@Sendable () -> Void)?

        package init(_ action: @escaping @Sendable () -> Void) { self.action = action }

        /// Runs the action, unless it has run or was dropped.
        package func run() {
            let action = lock.withLock {
                defer { self.action = nil }
                return self.action
            }
            action?()
        }

        /// Drops the action; returns whether it had not run.
        @discardableResult
        package func cancel() -> Bool {
            lock.withLock {
                defer { action = nil }
                return action != nil
            }
        }
    }
#endif
