#if Store
    import Foundation
    import GRDB
    import Steno

    @testable import StenoStore

    /// Another program reading a history, which keeps the log from being emptied.
    struct LogReader {
        private let queue: DatabaseQueue

        init(_ store: TranscriptStore) async throws {
            var configuration = Configuration()
            configuration.readonly = true
            configuration.allowsUnsafeTransactions = true
            queue = try DatabaseQueue(path: store.files.database.path, configuration: configuration)
            try await queue.unsafeRead { database in
                try database.beginTransaction()
                _ = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM session")
            }
        }

        func end() async throws { try await queue.unsafeRead { try $0.commit() } }
    }
#endif
