import Dispatch
import Foundation
import StenoCore

/// Writes a session's files in the background, so that a slow or full disk never delays the session.
///
/// Its owner keeps what is to be written. A write takes everything that waits, in order, and leaves what it could not
/// write, so that the next one tries again. Writes run on one queue, one at a time. Failures are passed on while the
/// session continues.
final class BackgroundWriter: @unchecked Sendable {
    // Sendable: all state is accessed under the lock, and writes and handlers are called outside it.

    /// Writes what is waiting; returns the seconds to rest before the next write.
    typealias Write = @Sendable () -> Double
    /// Runs something after that many seconds.
    typealias Later = @Sendable (Double, @escaping @Sendable () -> Void) -> Void

    private let queue: DispatchQueue
    private let later: Later
    private let lock = NSLock()
    /// Whether something is waiting that came after the last write began.
    private var hasNews = false
    /// Whether a write is about to run, or ran too recently.
    private var isBusy = false
    private var isClosed = false
    private var handler: (@Sendable (TranscriptionFailure) -> Void)?
    /// Failures before there was a handler.
    private var unread: [TranscriptionFailure] = []

    /// - Parameter later: nil is a timer.
    init(_ label: String, later: Later? = nil) {
        let queue = DispatchQueue(label: label)
        self.queue = queue
        self.later = later ?? { queue.asyncAfter(deadline: .now() + $0, execute: $1) }
    }

    /// Writes as soon as possible, because something is waiting; returns at once.
    func wake(_ write: @escaping Write) {
        let mustStart = lock.withLock {
            defer { (hasNews, isBusy) = (true, true) }
            return !isBusy
        }
        if mustStart { queue.async { self.work(write) } }
    }

    /// Waits until everything that was waiting has been written, or has failed; a rest is cut short.
    func flush(_ write: @escaping Write) async {
        await onQueue { if self.lock.withLock({ self.takeNews() }) { _ = write() } }
    }

    /// Performs the last write, after which there is no other.
    func close<Value: Sendable>(_ finish: @escaping @Sendable () -> Value) async -> Value {
        lock.withLock { isClosed = true }
        return await onQueue(finish)
    }

    /// Writes until nothing is new, and again after each rest, so that the last words never wait for audio.
    private func work(_ write: @escaping Write) {
        while true {
            let mustWrite = lock.withLock {
                isBusy = takeNews()
                return isBusy
            }
            guard mustWrite else { return }
            let rest = write()
            if rest > 0 { return later(rest) { self.work(write) } }
        }
    }

    private func takeNews() -> Bool {
        defer { hasNews = false }
        return hasNews && !isClosed
    }

    private func onQueue<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in queue.async { continuation.resume(returning: body()) } }
    }

    // MARK: Failures

    /// Sets the handler, which also gets the failures so far.
    func onFailure(_ handler: @escaping @Sendable (TranscriptionFailure) -> Void) {
        let unread = lock.withLock {
            self.handler = handler
            defer { self.unread = [] }
            return self.unread
        }
        for failure in unread { handler(failure) }
    }

    /// Passes on a failure; the owner does so once each time a file begins to fail.
    func report(_ error: any Error) {
        let failure = TranscriptionFailure(error, isFatal: false)
        let handler = lock.withLock {
            if self.handler == nil { unread.append(failure) }
            return self.handler
        }
        handler?(failure)
    }
}
