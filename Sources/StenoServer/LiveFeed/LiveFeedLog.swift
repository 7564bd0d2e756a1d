#if Server
    import Steno

    /// The last events of a session, for a client that lost its connection.
    ///
    /// Levels are left out, and of many events the oldest: a client that missed those gets a snapshot.
    struct LiveFeedLog: Sendable {
        private var lines: [(sequence: Int, line: String)] = []
        /// The last event that is not kept, levels aside.
        private var dropped = -1
        private let limit: Int

        /// - Parameter limit: The most events that are kept.
        init(limit: Int = 4000) { self.limit = limit }

        mutating func add(_ event: TranscriptionEvent, _ line: String) {
            guard event.level == nil else { return }
            lines.append((event.sequence, line))
            guard lines.count > limit else { return }
            dropped = lines[limit / 2 - 1].sequence
            lines.removeFirst(limit / 2)
        }

        /// The lines after an event; nil when some of them are gone.
        func lines(after sequence: Int) -> [String]? {
            guard sequence >= dropped else { return nil }
            return lines.filter { $0.sequence > sequence }.map(\.line)
        }
    }
#endif
