#if Server
    import ArgumentParser
    import Foundation
    import Logging
    import Steno
    import StenoCommandLine

    enum LogFormat: String, ExpressibleByArgument, CaseIterable {
        case text
        case json
    }

    enum LogLevel: String, ExpressibleByArgument, CaseIterable {
        case debug, info, warning, error

        var level: Logger.Level { Logger.Level(rawValue: rawValue) ?? .info }
    }

    extension Logger {
        init(_ level: LogLevel, _ format: LogFormat) {
            self.init(label: "steno") { _ in ServerLog(format: format) }
            logLevel = level.level
        }
    }

    /// The log on standard error: a line for each entry, with its metadata.
    struct ServerLog: LogHandler {
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info
        private let format: LogFormat
        private let write: @Sendable (String) -> Void

        init(format: LogFormat, write: @escaping @Sendable (String) -> Void = { StandardStream.error.write($0) }) {
            (self.format, self.write) = (format, write)
        }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let fields = metadata.merging(event.metadata ?? [:]) { _, new in new }
                .map { (Self.shortName($0.key), "\($0.value)") }.sorted { $0.0 < $1.0 }
            write(line("\(event.level)", "\(event.message)", fields) + "\n")
        }

        /// One line, whatever the values are.
        func line(_ level: String, _ message: String, _ fields: [(String, String)], time: Date = Date()) -> String {
            let time = time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
            let all = [("time", time), ("level", level), ("message", message)] + fields
            switch format {
            case .json:
                return "{" + all.map { "\(JSONText.string($0)):\(JSONText.string($1))" }.joined(separator: ",") + "}"
            case .text:
                let rest = fields.map { "\($0)=\(Self.isPlain($1) ? $1 : JSONText.string($1))" }
                return ([time, level, message] + rest).joined(separator: " ")
            }
        }

        /// Hummingbird's keys begin with its own name.
        private static func shortName(_ key: String) -> String { key == "hb.request.id" ? "request" : key }

        private static func isPlain(_ text: String) -> Bool {
            !text.isEmpty
                && text.unicodeScalars.allSatisfy { $0.value > 32 && $0.value < 127 && $0 != "\"" && $0 != "=" }
        }
    }
#endif
