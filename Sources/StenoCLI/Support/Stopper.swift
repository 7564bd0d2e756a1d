import Foundation

/// Stops the command's work on a signal, or when nobody reads its output any more.
///
/// `@unchecked Sendable`: the stored values are only touched while `lock` is held, and actions run outside of it.
final class Stopper: @unchecked Sendable {
    /// Why the work was stopped.
    enum Reason: Equatable, Sendable {
        case signal(Int32)
        case readerLeft
        case outputFailed(Int32)
    }

    private let lock = NSLock()
    private var cancelWork: (@Sendable () -> Void)?
    private var endGently: (@Sendable () -> Void)?
    private var firstReason: Reason?

    /// Why the work was stopped first, if it was.
    var reason: Reason? { lock.withLock { firstReason } }

    /// Sets how the work is cancelled; cancels at once if a stop was already requested.
    func attach(_ cancel: @escaping @Sendable () -> Void) {
        let isStopped = lock.withLock {
            cancelWork = cancel
            return firstReason != nil
        }
        if isStopped { cancel() }
    }

    /// Sets what the first signal does instead of cancelling, for work that can finish gracefully.
    func endGently(_ end: @escaping @Sendable () -> Void) { lock.withLock { endGently = end } }

    /// Stops the work; the first reason is kept.
    func stop(_ reason: Reason) {
        let action = lock.withLock {
            if case .signal = reason, firstReason == nil, let end = endGently {
                endGently = nil
                return Optional(end)
            }
            firstReason = firstReason ?? reason
            return cancelWork
        }
        action?()
    }
}
