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
