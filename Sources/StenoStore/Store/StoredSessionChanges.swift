#if Store
    import GRDB

    /// The sessions of a history, now and after every change.
    ///
    ///     for try await sessions in store.changes { list.sessions = sessions }
    ///
    /// A reader that is slow gets the newest list and none of those before it.
    public struct StoredSessionChanges: AsyncSequence, Sendable {
        /// A list of the sessions, the newest first.
        public typealias Element = [StoredSession]

        /// Iterates over the lists.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate var values: AsyncValueObservation<[StoredSession]>.Iterator

            /// The list after the next change; the first one at once.
            public mutating func next() async throws -> [StoredSession]? { try await values.next() }
        }

        let values: AsyncValueObservation<[StoredSession]>

        /// Starts observing.
        public func makeAsyncIterator() -> Iterator { Iterator(values: values.makeAsyncIterator()) }
    }
#endif
