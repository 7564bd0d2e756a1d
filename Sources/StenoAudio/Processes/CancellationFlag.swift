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

/// Ends blocking waits for a descriptor from another thread, immediately and permanently.
///
/// A pipe without data: closing its write end makes the read end readable, which wakes every `poll`.
package final class Interruption: Sendable {
    private let readEnd: OwnedDescriptor
    private let writeEnd: OwnedDescriptor

    package init() throws { (readEnd, writeEnd) = try OwnedDescriptor.pipe() }

    /// An interruption that ends the waiting when this thread's work is cancelled (``CancellationFlag/current``).
    package static func untilCancelled() throws -> Interruption {
        let interruption = try Interruption()
        CancellationFlag.current?.interrupt(interruption)
        return interruption
    }

    /// Ends the waiting: the current wait, and every later one, throws `StenoError.cancelled`.
    package func interrupt() { writeEnd.close() }

    /// Blocks until the descriptor has bytes (or its end) to read.
    ///
    /// - Throws: `StenoError`: `cancelled` after ``interrupt()``; what `poll` reports.
    package func waitUntilReadable(_ descriptor: Int32) throws {
        try wait(for: [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)], milliseconds: -1)
    }

    /// Blocks until a pipe or a socket no longer has a reader; throws as ``waitUntilReadable(_:)``.
    package func waitUntilAbandoned(_ descriptor: Int32) throws {
        // POLLERR and POLLHUP are reported without being asked for.
        try wait(for: [pollfd(fd: descriptor, events: 0, revents: 0)], milliseconds: -1)
    }

    /// Whether `poll` reports a named pipe as readable, and reading returns its end, before it was opened for writing;
    /// Linux waits for the first writer (pipe(7)).
    package static var seesEndBeforeWriter: Bool {
        #if os(Linux)
            false
        #else
            true
        #endif
    }

    /// Blocks for a while; always true; throws as ``waitUntilReadable(_:)``.
    package func wait(milliseconds: Int32) throws -> Bool {
        try wait(for: [], milliseconds: milliseconds)
        return true
    }

    /// - Parameter others: The descriptors to wait for, besides the interrupting pipe.
    private func wait(for others: [pollfd], milliseconds: Int32) throws {
        var entries = [pollfd(fd: readEnd.rawValue, events: Int16(POLLIN), revents: 0)] + others
        let status = retrying { poll(&entries, nfds_t(entries.count), milliseconds) }
        try ensure(
            status >= 0, or: SystemCallError(call: "poll").explained("The input or output could not be waited for"))
        if entries[0].revents != 0 { throw Self.cancelled }
    }

    private static var cancelled: StenoError { StenoError(.cancelled, "Waiting for input or output was cancelled.") }
}
