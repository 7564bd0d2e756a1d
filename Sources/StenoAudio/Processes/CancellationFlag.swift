import Foundation
import StenoCore

/// Requests that work stop, from any thread.
///
/// `@unchecked Sendable`: the lock guards the stored values.
package final class CancellationFlag: @unchecked Sendable {
    /// The flag of the work on this thread, for sources opened by that work; nil outside of any.
    @TaskLocal package static var current: CancellationFlag?

    private let lock = NSLock()
    private var value = false
    private var actions: [@Sendable () -> Void] = []
    private var interruptions: [WeakInterruption] = []
    /// The number of interruptions at which released ones are removed.
    private var interruptionLimit = 64

    private struct WeakInterruption {
        weak var value: Interruption?
    }

    package init() {}

    /// Whether the work should stop.
    package var isCancelled: Bool { lock.withLock { value } }

    /// Requests the stop; a second call does nothing.
    package func cancel() {
        let (actions, interruptions) = lock.withLock {
            value = true
            defer { (self.actions, self.interruptions) = ([], []) }
            return (self.actions, self.interruptions)
        }
        for action in actions { action() }
        for interruption in interruptions { interruption.value?.interrupt() }
    }

    /// Adds a handler for the stop, which is called at once if the stop was already requested.
    package func whenCancelled(_ action: @escaping @Sendable () -> Void) {
        let isCancelled = lock.withLock {
            if !value { actions.append(action) }
            return value
        }
        if isCancelled { action() }
    }

    /// Interrupts a read when the work must stop; the interruption stays owned by the reader.
    ///
    /// One flag serves work on any number of files, so it must not hold descriptors or memory of finished ones.
    package func interrupt(_ interruption: Interruption) {
        let isCancelled = lock.withLock {
            if !value { add(interruption) }
            return value
        }
        if isCancelled { interruption.interrupt() }
    }

    private func add(_ interruption: Interruption) {
        if interruptions.count >= interruptionLimit {
            interruptions.removeAll { $0.value == nil }
            interruptionLimit = max(64, 2 * interruptions.count)
        }
        interruptions.append(WeakInterruption(value: interruption))
    }

    /// The number of interruptions held; for tests.
    var interruptionCount: Int { lock.withLock { interruptions.count } }
}
