#if Server
    import Foundation
    import Logging
    import StenoTestSupport

    /// A log in memory.
    struct LogLines: LogHandler {
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace
        private let lines = Recorder<String>()

        var text: String { lines.all.joined(separator: "\n") }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let fields = metadata.merging(event.metadata ?? [:]) { $1 }.map { "\($0)=\($1)" }.sorted()
            lines.add(([event.message.description] + fields).joined(separator: " "))
        }
    }
#endif
