#if Server
    import Foundation
    import NIOCore

    /// Ends a live session that gets no audio: its place is for somebody who speaks.
    ///
    /// `@unchecked Sendable`: the values are accessed under the lock.
    final class AudioWatch: @unchecked Sendable {
        private let patience: TimeAmount
        private let loop: any EventLoop
        private let onSilence: @Sendable () -> Void
        private let lock = NSLock()
        private var last: NIODeadline
        private var timer: Scheduled<Void>?

        /// - Parameters:
        ///   - seconds: How long a session may be without audio.
        ///   - loop: The clock.
        ///   - onSilence: Called once, on the loop, unless the watch is dropped before.
        init(_ seconds: Double, loop: any EventLoop, onSilence: @escaping @Sendable () -> Void) {
            patience = ConnectionGuard.Times.amount(seconds)
            self.loop = loop
            self.onSilence = onSilence
            last = loop.now
            schedule(at: last + patience)
        }

        deinit { timer?.cancel() }

        /// Audio has come.
        func hear() { lock.withLock { last = loop.now } }

        private func schedule(at deadline: NIODeadline) {
            let next = loop.scheduleTask(deadline: deadline) { [weak self] in
                guard let self else { return }
                let deadline = lock.withLock { last } + patience
                if loop.now < deadline { schedule(at: deadline) } else { onSilence() }
            }
            lock.withLock { timer = next }
        }
    }
#endif
