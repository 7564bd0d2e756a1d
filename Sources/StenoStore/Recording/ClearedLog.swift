#if Store
    /// The work after clearing a transcript: while other connections read the history, removed text stays in the
    /// database's log.
    ///
    /// It does not delay storing: only the attempt at the end of the session waits for readers.
    struct ClearedLog {
        /// Whether all cleared text is gone from the log.
        private(set) var isEmpty = true
        private var isReported = false
        /// Where the text was removed, in seconds of audio.
        private var start = 0.0
        /// The position in the session from which it is attempted again.
        private var next = 0.0

        /// For this many seconds of audio, every final text triggers an attempt: most readers finish within
        /// milliseconds.
        private static let grace = 10.0
        /// The time between later attempts, in seconds of audio.
        private static let pause = 60.0

        /// Records that text was removed at a position.
        mutating func noteClearing(at position: Double) { (isEmpty, start, next) = (false, position, position) }

        /// Empties the log if that is due; a persistent failure is reported once.
        ///
        /// - Parameter position: The position in the session; nil for its end, where it is always due.
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
