#if Server
    import Foundation
    import NIOCore

    /// Ends a live session without audio, to free its place for others.
    ///
    /// Only time spent waiting for the client counts, not time that the server spends on its data: long audio, or
    /// loading a model, may take a while.
    ///
    /// `@unchecked Sendable`: the values are accessed under the lock.
    final class AudioWatch: @unchecked Sendable {
        private let patience: TimeAmount
        private let loop: any EventLoop
        private let onSilence: @Sendable () -> Void
        private let lock = NSLock()
        /// When the last audio came, plus the time since then that does not count.
        private var last: NIODeadline
        /// How many messages are being handled: a session may have two connections for a moment.
        private var pauses = 0
        private var pauseStart: NIODeadline
        /// Whether the timer fired during a pause.
        private var isDue = false
        private var timer: Scheduled<Void>?

        /// - Parameters:
        ///   - seconds: How long a session may be without audio.
        ///   - loop: The clock.
        ///   - onSilence: Called once, on the loop, unless the watch is dropped first.
        init(_ seconds: Double, loop: any EventLoop, onSilence: @escaping @Sendable () -> Void) {
            patience = ConnectionGuard.Times.amount(seconds)
            (self.loop, self.onSilence) = (loop, onSilence)
            (last, pauseStart) = (loop.now, loop.now)
            schedule(at: last + patience)
        }

        deinit { timer?.cancel() }

        /// Resets the time, because audio has come.
        func hear() { lock.withLock { (last, pauseStart) = (loop.now, loop.now) } }

        /// Stops counting time while a message is handled, until ``resume()``.
        func pause() {
            lock.withLock {
                if pauses == 0 { pauseStart = loop.now }
                pauses += 1
            }
        }

        /// Counts time again, because the server waits for the client.
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
