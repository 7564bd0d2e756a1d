package import Foundation

package enum InstalledProgram {
    /// The program of this name in the running program's folder, following links; nil if there is none.
    package static func besideThis(_ name: String) -> URL? {
        let own = Bundle.main.executableURL?.resolvingSymlinksInPath()
        let program = own?.deletingLastPathComponent().appendingPathComponent(name)
        return program.flatMap { FileManager.default.isExecutableFile(atPath: $0.path) ? $0 : nil }
    }

    /// The program of this name in the running program's folder, or else the first on the search path.
    ///
    /// - Parameter searchPath: As in `PATH`; relative folders and empty entries are skipped, since a program that
    ///   happens to be in the current folder was not installed.
    package static func find(
        _ name: String, searchPath: String = ProcessInfo.processInfo.environment["PATH"] ?? ""
    ) -> URL? {
        if let program = besideThis(name) { return program }
        let folders = searchPath.split(separator: ":").filter { $0.hasPrefix("/") }
        return folders.lazy.map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}

/// One sentence about each command that `steno-server` runs.
///
/// `steno` lists them in its help; `steno-server` has the help itself.
package enum ServerAbstract {
    package static let serve = "Serve OpenAI's audio API: files over REST, live audio over a WebSocket."
    package static let captions = "Show live captions on a page, for people who are deaf or hard of hearing."
    package static let history = "List, show, search, export and delete saved transcripts."
}
