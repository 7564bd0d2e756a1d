package import Foundation
import StenoCore

/// Checks, before any work, that files may be written: no input, no other output and no existing file is lost.
package struct OutputFiles: Sendable {
    private let overwriting: Bool
    private let inputs: Set<FileIdentity>
    /// What to do about an existing file, as a sentence.
    private let remedy: String
    private var seen: Set<String> = []

    /// - Parameter overwriting: Whether existing files may be replaced; an input never is.
    package init(
        overwriting: Bool, inputs: [FileIdentity] = [], remedy: String = "Choose another name, or allow overwriting it."
    ) {
        self.overwriting = overwriting
        self.inputs = Set(inputs)
        self.remedy = remedy
    }

    /// Counts a file that is already open, such as redirected standard output, as an output.
    package mutating func reserve(_ file: FileIdentity?) { if let file { seen.insert("\(file)") } }

    /// Checks another output; nothing is created or changed.
    ///
    /// - Throws: `StenoError`: `invalidOption` when the file is already an input or an output, `outputFailed` when it
    ///   exists or cannot be written.
    package mutating func check(_ file: URL) throws {
        let name = file.relativePath
        if let existing = FileIdentity(file), inputs.contains(existing) {
            throw StenoError(.invalidOption, "\(name) is the input and would be overwritten. Choose another name.")
        }
        guard seen.insert(Self.key(file)).inserted else {
            throw StenoError(.invalidOption, "\(name) would be written twice. Give each output its own name.")
        }
        var status = stat()
        if lstat(file.path, &status) == 0 {
            try checkExisting(file, name)
        }
        guard AtomicFile.canWrite(in: file.deletingLastPathComponent()) else {
            throw StenoError(
                .outputFailed, "\(name) cannot be written. Does its folder exist, and may you write there?")
        }
    }

    private func checkExisting(_ file: URL, _ name: String) throws {
        guard overwriting else { throw StenoError(.outputFailed, "\(name) exists already. \(remedy)") }
        var status = stat()
        // A link that points nowhere becomes a file.
        guard stat(file.path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw StenoError(.outputFailed, "\(name) is not a file. Choose another name.")
        }
    }

    /// A key that is equal for all names of one file.
    ///
    /// If the file does not exist yet, this is its folder and its name in lower case, since some file systems ignore
    /// case.
    private static func key(_ file: URL) -> String {
        if let identity = FileIdentity(file) { return "\(identity)" }
        let folder = FileIdentity(file.deletingLastPathComponent()).map { "\($0)" }
        return "\(folder ?? file.deletingLastPathComponent().path)/\(file.lastPathComponent.lowercased())"
    }
}

/// The identity of a file, whatever its name: the device and the number on it.
///
/// Two names of one file (symbolic and hard links, `./a` and `a`, another case on a disk that ignores it) have the same
/// identity.
package struct FileIdentity: Sendable, Hashable {
    private let device: UInt64
    private let inode: UInt64

    package init?(_ file: URL) {
        var status = stat()
        guard stat(file.path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The file that is open; nil for anything else, such as a pipe or a terminal.
    package init?(regularFile descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
    }
}
