#if Store
    import Foundation
    import GRDB
    import Steno

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
            private let store: TranscriptStore
            private let changes = SessionChanges()
            /// The sessions by the numbers of their rows.
            private var known: [Int64: StoredSession] = [:]
            private var last: [StoredSession]?

            fileprivate init(_ store: TranscriptStore) { self.store = store }

            /// The list after the next change, or nil when the task is cancelled; the first list arrives immediately.
            public mutating func next() async throws -> [StoredSession]? {
                do {
                    while true {
                        try await read(changes.next(in: store))
                        let list = known.sorted { ($0.value.start, $0.key) > ($1.value.start, $1.key) }.map(\.value)
                        guard list != last else { continue }
                        last = list
                        return list
                    }
                } catch {
                    // What has changed is known no longer.
                    changes.lose()
                    if error is CancellationError { return nil }
                    throw error
                }
            }

            private mutating func read(_ changed: SessionChanges.Rows) async throws {
                let rows = changed.including(known.filter(\.value.dependsOnItsLock).keys)
                let read = try await store.read { [store] database in
                    try rows.fetch(database).map { (key: $0["id"] as Int64, session: store.listed($0)) }
                }
                // What is not found was deleted.
                switch rows {
                case .all: known = [:]
                case .only(let keys): for key in keys { known[key] = nil }
                }
                for row in read { known[row.key] = row.session }
            }
        }

        let store: TranscriptStore

        /// Starts observing.
        public func makeAsyncIterator() -> Iterator { Iterator(store) }
    }

    extension StoredSession {
        /// Whether it may be interrupted, or found to be, without a change of the database.
        fileprivate var dependsOnItsLock: Bool { state == .recording || state == .interrupted }
    }

    /// Notes which rows of the table `session` are changed, for one reader of the list.
    private final class SessionChanges: TransactionObserver, Sendable {
        /// Rows to read again.
        enum Rows: Sendable {
            case all
            case only(Set<Int64>)

            /// With more keys than this, reading all rows is simpler, and as fast.
            private static let most = 500

            func including(_ more: some Sequence<Int64>) -> Rows {
                guard case .only(let keys) = self else { return .all }
                let all = keys.union(more)
                return all.count > Self.most ? .all : .only(all)
            }

            func fetch(_ database: Database) throws -> [Row] {
                switch self {
                case .all: try Row.fetchAll(database, SessionRow.all())
                case .only(let keys): try Row.fetchAll(database, SessionRow.filter(keys: keys))
                }
            }
        }

        private struct State: Sendable {
            /// Committed changes that the reader has not taken.
            var rows = Rows.all
            /// Changes of the transaction that is running.
            var uncommitted: Set<Int64> = []
            /// SQLite's number for the changes by other connections; nil until the observation begins.
            var version: Int?
        }

        private let state = Monitor(State())

        /// Waits for changes, and takes them.
        ///
        /// A reader of the rows sees at least these changes afterwards; later ones are noted again.
        func next(in store: TranscriptStore) async throws -> Rows {
            if state.read({ $0.version }) == nil {
                try await store.pool.writeWithoutTransaction { database in
                    database.add(transactionObserver: self, extent: .observerLifetime)
                    self.state.update { $0.version = Self.version(database) }
                }
            }
            return try await state.wait { state -> Rows? in
                if case .only(let keys) = state.rows, keys.isEmpty { return nil }
                defer { state.rows = .only([]) }
                return state.rows
            }
        }

        /// Has all rows read again.
        func lose() { state.update { $0.rows = .all } }

        private static func version(_ database: Database) -> Int {
            (try? Int.fetchOne(database, sql: "PRAGMA data_version")) ?? 0
        }

        // MARK: Called by GRDB, on the thread of the transaction

        /// Partial text, which changes once a second during recording, is not in the list.
        func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
            if case .update(_, let columns) = kind, columns == ["partial"] { return false }
            return kind.tableName == SessionRow.databaseTableName
        }

        func databaseDidChange(with event: DatabaseEvent) {
            let row = event.rowID
            state.update { _ = $0.uncommitted.insert(row) }
        }

        func databaseDidCommit(_ database: Database) {
            guard state.read({ !$0.uncommitted.isEmpty }) else { return }
            let version = Self.version(database)
            state.update { state in
                // Other programs' changes are not reported row by row.
                state.rows = state.version == version ? state.rows.including(state.uncommitted) : .all
                (state.uncommitted, state.version) = ([], version)
            }
        }

        func databaseDidRollback(_ database: Database) { state.update { $0.uncommitted = [] } }
    }
#endif
