#if Server
    import Foundation

    /// Which session the other screens of a reader show, by the screen's name; whoever knows the name may read along.
    ///
    /// `@unchecked Sendable`: all state is accessed under the lock.
    final class LiveScreens: @unchecked Sendable {
        private let lock = NSLock()
        private var feeds: [String: LiveFeed] = [:]
        private var readers: [String: [UUID: AsyncStream<LiveFeed>.Continuation]] = [:]

        /// The sessions of a screen: the one that runs, and each one that begins later.
        func sessions(of screen: String) -> AsyncStream<LiveFeed> {
            // A reader that is slow needs the newest one alone.
            let (stream, input) = AsyncStream.makeStream(of: LiveFeed.self, bufferingPolicy: .bufferingNewest(1))
            let id = UUID()
            lock.withLock {
                readers[screen, default: [:]][id] = input
                // Nobody waits for it yet.
                if let feed = feeds[screen] { input.yield(feed) }
            }
            input.onTermination = { [weak self] _ in self?.leave(screen, id) }
            return stream
        }

        /// Whether a session runs under a name.
        func isShown(_ screen: String) -> Bool { lock.withLock { feeds[screen] != nil } }

        /// A session begins.
        func begin(_ feed: LiveFeed, on screen: String) {
            let readers = lock.withLock {
                feeds[screen] = feed
                return Array((self.readers[screen] ?? [:]).values)
            }
            // The end of a reader takes the lock, while the runtime holds one that waking it needs.
            for reader in readers { reader.yield(feed) }
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
