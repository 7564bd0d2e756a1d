package import Foundation

/// The identity of a file, whatever its name: the device and the number on it.
///
/// Two names of one file (symbolic and hard links, `./a` and `a`, another case on a disk that ignores it) have the same
/// identity.
package struct FileIdentity: Sendable, Hashable {
    private let device: UInt64
    private let inode: UInt64

    /// The file at a path; nil if there is none.
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
