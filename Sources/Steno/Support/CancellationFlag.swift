import Foundation
import StenoCore

/// Says once, from any thread, that work should stop.
///
/// The lock guards the stored values, which makes the class safe to share.
package final class CancellationFlag: @unchecked Sendable {
    /// The flag of the work that runs on this thread, for what that work opens; nil outside of any.
    @TaskLocal package static var current: CancellationFlag?

    private let lock = NSLock()
    private var value = false
    private var actions: [@Sendable () -> Void] = []

    /// Whether the work should stop.
    package var isCancelled: Bool { lock.withLock { value } }

    /// Asks the work to stop; a second time it wakes nobody.
    package func cancel() {
        let actions = lock.withLock {
            value = true
            defer { self.actions = [] }
            return self.actions
        }
        for action in actions { action() }
    }

    /// Names what has to be woken too when the work is to stop; woken at once if it is to already.
    package func whenCancelled(_ action: @escaping @Sendable () -> Void) {
        let isCancelled = lock.withLock {
            if !value { actions.append(action) }
            return value
        }
        if isCancelled { action() }
    }

    /// Ends a reading when the work is to stop; whoever reads keeps the interruption, and this does not.
    ///
    /// Work on thousands of files has one flag, which must not hold the descriptors of all of them.
    package func interrupt(_ interruption: Interruption) {
        whenCancelled { [weak interruption] in interruption?.interrupt() }
    }
}
