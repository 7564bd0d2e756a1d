#if Store
    import Foundation
    import GRDB
    import Steno

    @testable import StenoStore

    /// Another program that reads a history: it keeps the log from being emptied until it ends.
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
