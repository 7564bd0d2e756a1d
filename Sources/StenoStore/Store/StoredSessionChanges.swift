#if Store
    import GRDB

    /// The sessions of a history, now and after every change.
    ///
    ///     for try await sessions in store.changes { list.sessions = sessions }
    ///
    /// A slow reader gets only the newest list.
    public struct StoredSessionChanges: AsyncSequence, Sendable {
        /// The sessions, newest first.
        public typealias Element = [StoredSession]

        /// Iterates over the lists.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate var values: AsyncValueObservation<[StoredSession]>.Iterator

            /// The list after the next change; the first list arrives immediately.
            public mutating func next() async throws -> [StoredSession]? { try await values.next() }
        }

        let values: AsyncValueObservation<[StoredSession]>

        /// Starts observing.
        public func makeAsyncIterator() -> Iterator { Iterator(values: values.makeAsyncIterator()) }
    }
#endif
