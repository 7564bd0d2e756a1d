package import Foundation

/// The programs installed on this machine.
package enum InstalledTool {
    /// The first program of that name on the search path, or nil.
    package static func find(_ name: String) -> URL? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            .map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}
