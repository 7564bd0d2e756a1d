package import Foundation
import StenoCompute
import StenoCore

extension URL {
    /// Whether there is a folder (or a link to one) here.
    package var isFolder: Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
    }

    /// Whether this folder or file is a model in a supported format.
    package var isModel: Bool {
        // A damaged model.bin is still a model: its reader reports the problem.
        if FileManager.default.fileExists(atPath: appendingPathComponent("model.bin").path) { return true }
        guard FileManager.default.fileExists(atPath: path), let format = try? ModelFormat.detect(at: self) else {
            return false
        }
        // The link of an unfinished download points nowhere.
        if case .cTranslate2 = format { return false }
        return format.isSupported
    }

    /// The names of the items in this folder, in alphabetical order; none if it cannot be read.
    package var childNames: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

    /// Waits until this file, or this folder's list of names, is on the disk, so that it survives a power failure.
    package func synchronize() throws(SystemCallError) {
        guard let file = OwnedDescriptor.open(path, O_RDONLY) else { throw SystemCallError(call: "open") }
        defer { file.close() }
        // Some disks cannot synchronise folders.
        if fsync(file.rawValue) != 0, errno == EIO || errno == ENOSPC { throw SystemCallError(call: "fsync") }
    }
}

extension String {
    /// The file at this path, with a leading `~` replaced by the home folder.
    package func fileURL(home: URL) -> URL {
        if self == "~" { return home }
        return hasPrefix("~/") ? home.appendingPathComponent(String(dropFirst(2))) : URL(fileURLWithPath: self)
    }
}

extension [String: String] {
    /// The folder an environment variable names; an empty variable counts as none.
    package func path(_ variable: String) -> URL? {
        self[variable].flatMap { $0.isEmpty ? nil : URL(fileURLWithPath: $0) }
    }
}

/// The user's folders, where programs keep what they make: those of the XDG specification, except that Apple systems
/// have Application Support for data and state.
package struct UserFolders: Sendable {
    private let environment: [String: String]
    private let home: URL

    /// - Parameter home: nil for `$HOME`, or without it the home folder of the user.
    package init(_ environment: [String: String] = ProcessInfo.processInfo.environment, home: URL? = nil) {
        self.environment = environment
        self.home = home ?? environment.path("HOME") ?? URL(fileURLWithPath: NSHomeDirectory())
    }

    /// What the user would miss: Application Support, or `$XDG_DATA_HOME` or `~/.local/share`.
    package var data: URL { folder("XDG_DATA_HOME", ".local/share") }

    /// What only this machine needs: Application Support, or `$XDG_STATE_HOME` or `~/.local/state`.
    package var state: URL { folder("XDG_STATE_HOME", ".local/state") }

    /// What can be downloaded again: `$XDG_CACHE_HOME` or `~/.cache`, on Apple systems too, as in Hugging Face's tools.
    package var cache: URL { environment.path("XDG_CACHE_HOME") ?? home.appendingPathComponent(".cache") }

    /// The folder of Hugging Face's tools: `$HF_HOME`, or `huggingface` in ``cache``.
    package var huggingFace: URL { environment.path("HF_HOME") ?? cache.appendingPathComponent("huggingface") }

    private func folder(_ variable: String, _ usual: String) -> URL {
        #if canImport(Darwin)
            home.appendingPathComponent("Library/Application Support")
        #else
            environment.path(variable) ?? home.appendingPathComponent(usual)
        #endif
    }
}

extension URL {
    /// Steno's own file or folder below one of the user's, such as `Steno/Models`; outside Apple systems in lower case.
    package func ofSteno(_ name: String) -> URL {
        #if canImport(Darwin)
            appendingPathComponent("Steno/\(name)")
        #else
            appendingPathComponent("steno/\(name.lowercased())")
        #endif
    }
}
