#if Server
    import Foundation
    import NIOCore

    /// Ends a live session without audio, to free its place for others.
    ///
    /// Only time spent waiting for the client counts: while the server processes data, which may be long audio or need
    /// a model, it does not read more.
    ///
    /// `@unchecked Sendable`: the values are accessed under the lock.
    final class AudioWatch: @unchecked Sendable {
        private let patience: TimeAmount
        private let loop: any EventLoop
        private let onSilence: @Sendable () -> Void
        private let lock = NSLock()
        /// When the last audio came, later by the time that did not count since then.
        private var last: NIODeadline
        /// How many messages are being taken: a session may have two connections for a moment.
        private var pauses = 0
        private var pauseStart: NIODeadline
        /// Whether the timer ended during a pause.
        private var isDue = false
        private var timer: Scheduled<Void>?

        /// - Parameters:
        ///   - seconds: How long a session may be without audio.
        ///   - loop: The clock.
        ///   - onSilence: Called once, on the loop, unless the watch is dropped before.
        init(_ seconds: Double, loop: any EventLoop, onSilence: @escaping @Sendable () -> Void) {
            patience = ConnectionGuard.Times.amount(seconds)
            self.loop = loop
            self.onSilence = onSilence
            (last, pauseStart) = (loop.now, loop.now)
            schedule(at: last + patience)
        }

        deinit { timer?.cancel() }

        /// Audio has come.
        func hear() { lock.withLock { (last, pauseStart) = (loop.now, loop.now) } }

        /// A message is being taken: until ``resume()`` no time counts.
        func pause() {
            lock.withLock {
                if pauses == 0 { pauseStart = loop.now }
                pauses += 1
            }
        }

        /// The message was taken, and the client is waited for again.
        func resume() {
            let deadline = lock.withLock { () -> NIODeadline? in
                pauses -= 1
                guard pauses == 0 else { return nil }
                last = last + (loop.now - pauseStart)
                guard isDue else { return nil }
                isDue = false
                return last + patience
            }
            if let deadline { schedule(at: deadline) }
        }

        private func schedule(at deadline: NIODeadline) {
            let next = loop.scheduleTask(deadline: deadline) { [weak self] in
                guard let self else { return }
                check()
            }
            lock.withLock { timer = next }
        }

        private func check() {
            let deadline = lock.withLock { () -> NIODeadline? in
                isDue = pauses > 0
                return isDue ? nil : last + patience
            }
            guard let deadline else { return }
            if loop.now < deadline { schedule(at: deadline) } else { onSilence() }
        }
    }
#endif
