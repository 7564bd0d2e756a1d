import Foundation

/// Stops the command's work from outside it: for a signal, or because nobody reads the output any more.
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

    /// Names what is to be stopped; stopped at once if that was asked for already.
    func attach(_ cancel: @escaping @Sendable () -> Void) {
        let isStopped = lock.withLock {
            cancelWork = cancel
            return firstReason != nil
        }
        if isStopped { cancel() }
    }

    /// Names what the first signal does instead of stopping the work: for work that has an end of its own to come to.
    func endGently(_ end: @escaping @Sendable () -> Void) { lock.withLock { endGently = end } }

    /// Stops the work; the first reason counts.
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
