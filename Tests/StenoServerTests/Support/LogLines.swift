#if Server
    import Foundation
    import Logging

    /// A log in memory.
    ///
    /// `@unchecked Sendable`: the lines are accessed under the lock.
    struct LogLines: LogHandler {
        private final class Store: @unchecked Sendable {
            private let lock = NSLock()
            private var lines: [String] = []

            var text: String { lock.withLock { lines.joined(separator: "\n") } }

            func add(_ line: String) { lock.withLock { lines.append(line) } }
        }

        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace
        private let store = Store()

        var text: String { store.text }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let fields = metadata.merging(event.metadata ?? [:]) { $1 }.map { "\($0)=\($1)" }.sorted()
            store.add(([event.message.description] + fields).joined(separator: " "))
        }
    }
#endif
