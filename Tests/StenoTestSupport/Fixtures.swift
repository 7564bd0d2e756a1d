package import Foundation

/// The test fixtures, located relative to this source file, independent of the working directory.
package enum Fixtures {
    package static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    package static let folder = root.appendingPathComponent("Tests/Fixtures")

    /// The nano test model (float16, CTranslate2 format): 8 M parameters, six languages, synthetic voices only.
    package static let nano = folder.appendingPathComponent("nano")

    /// A sample that comes with StenoBundledModel.
    package static func bundledSample(_ name: String) -> URL {
        root.appendingPathComponent("Sources/StenoBundledModel/Resources/samples/" + name)
    }

    package static func file(_ path: String) -> URL { folder.appendingPathComponent(path) }
}

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
