#if Server
    import Foundation

    /// The session that other screens show, by the screen's name; anyone who knows the name may read along.
    ///
    /// `@unchecked Sendable`: all state is accessed under the lock.
    final class LiveScreens: @unchecked Sendable {
        private let lock = NSLock()
        private var feeds: [String: LiveFeed] = [:]
        private var readers: [String: [UUID: AsyncStream<Void>.Continuation]] = [:]

        /// The sessions of a screen: the one that runs, and each one that begins later; of several in a short time the
        /// newest, which may come again.
        func sessions(of screen: String) -> AsyncCompactMapSequence<AsyncStream<Void>, LiveFeed> {
            // A reader looks for itself when it is woken: of two sessions that begin at the same time, the older one may
            // be the last that wakes it.
            let (wakings, input) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            let id = UUID()
            lock.withLock {
                readers[screen, default: [:]][id] = input
                // There are no waiters yet.
                if feeds[screen] != nil { input.yield() }
            }
            input.onTermination = { [weak self] _ in self?.leave(screen, id) }
            return wakings.compactMap { [weak self] _ in self?.session(of: screen) }
        }

        /// Whether a session runs under a name.
        func isShown(_ screen: String) -> Bool { session(of: screen) != nil }

        private func session(of screen: String) -> LiveFeed? { lock.withLock { feeds[screen] } }

        /// A session begins.
        func begin(_ feed: LiveFeed, on screen: String) {
            let readers = lock.withLock {
                feeds[screen] = feed
                return Array((self.readers[screen] ?? [:]).values)
            }
            // The end of a reader takes the lock, while the runtime holds one that waking it needs.
            for reader in readers { reader.yield() }
        }

        /// A session is over.
        func end(_ id: String, on screen: String) {
            lock.withLock { if feeds[screen]?.id == id { feeds[screen] = nil } }
        }

        private func leave(_ screen: String, _ id: UUID) {
            lock.withLock {
                readers[screen]?[id] = nil
                if readers[screen]?.isEmpty == true { readers[screen] = nil }
            }
        }
    }
#endif
