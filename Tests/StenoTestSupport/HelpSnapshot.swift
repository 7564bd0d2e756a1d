import Foundation

/// The committed help texts, one file per command, so that changes are seen in review.
package enum HelpSnapshot {
    /// The committed help of a command.
    ///
    /// - Parameter help: Replaces the committed text if `STENO_UPDATE_SNAPSHOTS` is 1.
    package static func committed(_ name: String, replacing help: String) throws -> String {
        let file = Fixtures.file("help/\(name).txt")
        if ProcessInfo.processInfo.environment["STENO_UPDATE_SNAPSHOTS"] == "1" {
            try Data((help + "\n").utf8).write(to: file)
        }
        return String(try String(contentsOf: file, encoding: .utf8).dropLast())
    }
}
