import Foundation
import StenoCore

/// Passes on failures of a file that is written during a session: once each time it begins to fail.
final class FailureReports: @unchecked Sendable {
    // Sendable: all state is accessed under the lock, and handlers are called outside it.
    private let lock = NSLock()
    private var handler: (@Sendable (TranscriptionFailure) -> Void)?
    /// Failures before there was a handler.
    private var unread: [TranscriptionFailure] = []

    /// Sets the handler, which also gets the failures so far.
    func deliver(to handler: @escaping @Sendable (TranscriptionFailure) -> Void) {
        let unread = lock.withLock {
            self.handler = handler
            defer { self.unread = [] }
            return self.unread
        }
        for failure in unread { handler(failure) }
    }

    func report(_ error: any Error) {
        let failure = TranscriptionFailure(error, isFatal: false)
        let handler = lock.withLock {
            if self.handler == nil { unread.append(failure) }
            return self.handler
        }
        handler?(failure)
    }
}
