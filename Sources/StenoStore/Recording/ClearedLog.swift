#if Store
    /// The work after clearing a transcript: while there are readers of the history, removed text stays in the
    /// database's log.
    ///
    /// It does not delay storing: only the attempt at the end of the session waits for the reader.
    struct ClearedLog {
        /// Whether nothing that was cleared is left.
        private(set) var isEmpty = true
        private var isReported = false
        /// Where the text was removed, in seconds of audio.
        private var start = 0.0
        /// The position in the session from which it is tried again.
        private var next = 0.0

        /// For this many seconds of audio, it is tried with every final text: most readers finish within milliseconds.
        private static let grace = 10.0
        /// Between two later attempts, in seconds of audio.
        private static let pause = 60.0

        /// Notes that text was removed at a position.
        mutating func noteClearing(at position: Double) { (isEmpty, start, next) = (false, position, position) }

        /// Empties the log, if that is due; a failure that lasts is reported once.
        ///
        /// - Parameter position: The position in the session; nil is its end, where it is always due.
        mutating func empty(
            of writer: SessionWriter, at position: Double? = nil, _ onFailure: @Sendable (any Error) -> Void
        ) async {
            guard !isEmpty, position.map({ $0 >= next }) ?? true else { return }
            do {
                if position == nil {
                    try await writer.store.emptyLog()
                } else {
                    try await writer.store.emptyLogAtOnce()
                }
                (isEmpty, isReported) = (true, false)
            } catch {
                if let position, position < start + Self.grace { return }
                if !isReported { onFailure(error) }
                (isReported, next) = (true, (position ?? 0) + Self.pause)
            }
        }
    }
#endif
