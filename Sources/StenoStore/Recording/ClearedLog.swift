#if Store
    /// What is left to do after a transcript was cleared: as long as another program reads the history, the text that
    /// was removed stays in the log of the database.
    ///
    /// It keeps nothing from being stored: an attempt may wait for the other program, so there is one a minute.
    struct ClearedLog {
        /// Whether nothing that was cleared is left.
        private(set) var isEmpty = true
        private var isFailing = false
        /// The position in the session from which it is tried again.
        private var next = 0.0

        /// Between two attempts, in seconds of audio.
        private static let pause = 60.0

        /// Notes that text was removed.
        mutating func noteClearing() { (isEmpty, next) = (false, 0) }

        /// Empties the log, if that is due; a failure is reported once.
        ///
        /// - Parameter position: The position in the session; nil is its end, where it is always due.
        mutating func empty(
            of writer: SessionWriter, at position: Double? = nil, _ onFailure: @Sendable (any Error) -> Void
        ) async {
            guard !isEmpty, position.map({ $0 >= next }) ?? true else { return }
            do {
                try await writer.store.emptyLog()
                (isEmpty, isFailing) = (true, false)
            } catch {
                if !isFailing { onFailure(error) }
                (isFailing, next) = (true, (position ?? 0) + Self.pause)
            }
        }
    }
#endif
