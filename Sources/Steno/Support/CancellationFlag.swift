import Foundation
import StenoCore

/// Requests, from any thread, that work stops.
///
/// `@unchecked Sendable`: the lock guards the stored values.
package final class CancellationFlag: @unchecked Sendable {
    /// The flag of the work on this thread, for sources opened by that work; nil outside of any.
    @TaskLocal package static var current: CancellationFlag?

    private let lock = NSLock()
    private var value = false
    private var actions: [@Sendable () -> Void] = []

    package init() {}

    /// Whether the work should stop.
    package var isCancelled: Bool { lock.withLock { value } }

    /// Requests the stop; a second call does nothing.
    package func cancel() {
        let actions = lock.withLock {
            value = true
            defer { self.actions = [] }
            return self.actions
        }
        for action in actions { action() }
    }

    /// Adds a handler to be called on the stop; called at once if it was already requested.
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
