package import Foundation
package import StenoCore

/// Writes files atomically, whatever interrupts the program: readers find either the old content or the new one.
package enum AtomicFile {
    /// Writes text as UTF-8 to a new file next to its destination and then renames it, which replaces the old file.
    ///
    /// A symbolic link stays a link: the file it points to is replaced. A replaced file keeps its permissions. A device
    /// or a pipe is never replaced.
    /// - Parameters:
    ///   - overwriting: Whether an existing file is replaced; if not, it is an error.
    ///   - permissions: The permissions of the file, even if it replaces another; they are set before anything is
    ///     written.
    /// - Throws: `StenoError.outputFailed`.
    package static func write(
        _ text: String, to file: URL, overwriting: Bool = true, permissions: mode_t? = nil
    ) throws {
        try make(file, overwriting: overwriting) { temporary, mode in
            try create(temporary, text, mode: permissions ?? mode)
        }
    }

    /// Creates a file in the same way.
    ///
    /// - Throws: What `fill` throws, a `SystemCallError` as `StenoError.outputFailed` with the file's name.
    /// - Parameters:
    ///   - overwriting: Whether an existing file is replaced; if not, it is an error.
    ///   - fill: Creates the new file at a path, with the permissions of the one it replaces, if any.
    package static func make(
        _ file: URL, overwriting: Bool = true, fill: (_ path: String, _ mode: mode_t?) throws -> Void
    ) throws {
        do {
            let place = try place(of: file)
            let folder = URL(fileURLWithPath: place.path).deletingLastPathComponent()
            removeRemains(in: folder)
            let temporary = TemporaryName.url(in: folder).path
            do {
                try fill(temporary, place.mode)
                try publish(temporary, as: place.path, overwriting: overwriting)
            } catch {
                unlink(temporary)
                throw error
            }
        } catch let error as SystemCallError {
            throw StenoError(.outputFailed, "\(file.relativePath) cannot be written: \(error).", underlying: error)
        }
    }

    /// Creates the parents too; throws `outputFailed`.
    package static func makeFolder(_ folder: URL) throws(StenoError) {
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw StenoError(
                .outputFailed, "The output folder \(folder.path) cannot be created. Choose another one.",
                underlying: error)
        }
    }

    /// Whether a file can be created in a folder, tested by creating one: permissions are not reliable on every disk.
    package static func canWrite(in folder: URL) -> Bool {
        let temporary = TemporaryName.url(in: folder).path
        defer { unlink(temporary) }
        return (try? create(temporary, "", mode: nil)) != nil
    }

    // MARK: Steps

    private struct Place {
        var path: String
        /// The permissions of an existing file.
        var mode: mode_t?
    }

    /// The real location of the file, and an existing file's permissions.
    private static func place(of file: URL) throws -> Place {
        var status = stat()
        guard stat(file.path, &status) == 0 else { return Place(path: file.path) }
        try ensure(
            status.st_mode & S_IFMT == S_IFREG, or: .outputFailed,
            "\(file.relativePath) cannot be written, because it is not a file. Choose another name.")
        guard let real = realpath(file.path, nil) else { throw SystemCallError(call: "realpath") }
        defer { free(real) }
        return Place(path: String(cString: real), mode: status.st_mode & 0o7777)
    }

    private static func create(_ path: String, _ text: String, mode: mode_t?) throws {
        guard let file = OwnedDescriptor.open(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o666) else {
            throw SystemCallError(call: "open")
        }
        defer { file.close() }
        if let mode, fchmod(file.rawValue, mode) != 0 { throw SystemCallError(call: "fchmod") }
        try file.write(text)
    }

    /// Without overwriting, uses a hard link, which fails if the name is taken, unlike a rename; some disks have no
    /// hard links.
    private static func publish(_ temporary: String, as path: String, overwriting: Bool) throws {
        if !overwriting {
            if link(temporary, path) == 0 {
                unlink(temporary)
                return
            }
            let failure = SystemCallError(call: "link")
            var status = stat()
            guard [EPERM, ENOTSUP, ENOSYS].contains(failure.number), lstat(path, &status) != 0 else { throw failure }
        }
        guard rename(temporary, path) == 0 else { throw SystemCallError(call: "rename") }
    }

    // MARK: Remains

    /// Folders that this process has searched: a live session writes into one every few seconds.
    private static let searched = Monitor(Set<String>())

    /// Removes the files that killed processes left in a folder a day ago or more.
    private static func removeRemains(in folder: URL) {
        guard searched.update({ $0.insert(folder.path).inserted }),
            let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        else { return }
        for name in names where name.hasPrefix(TemporaryName.prefix) {
            guard UUID(uuidString: String(name.dropFirst(TemporaryName.prefix.count))) != nil else { continue }
            let path = folder.appendingPathComponent(name).path
            if isAbandoned(path) { unlink(path) }
        }
    }

    /// Whether nobody has written to a file for a day or has locked it.
    private static func isAbandoned(_ path: String) -> Bool {
        guard let file = OwnedDescriptor.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) else { return false }
        defer { file.close() }
        var status = stat()
        guard fstat(file.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        #if canImport(Darwin)
            let modified = status.st_mtimespec.tv_sec
        #else
            let modified = status.st_mtim.tv_sec
        #endif
        return time(nil) - modified > 86_400 && flock(file.rawValue, LOCK_EX | LOCK_NB) == 0
    }
}
