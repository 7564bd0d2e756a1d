#if Store
    import Foundation
    import Steno

    /// A file with a key: 32 bytes that only its owner can read.
    enum KeyFile {
        /// The bytes of the file.
        static func contents(of url: URL, creating: Bool) throws -> [UInt8] {
            // A named pipe is refused, and not waited for.
            let number = retrying { open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
            if number < 0, errno == ENOENT, creating { return try make(url) }
            guard number >= 0 else { throw failure(url, "cannot be read: \(SystemCallError(call: "open"))") }
            let descriptor = OwnedDescriptor(number)
            defer { descriptor.close() }
            try check(number, url)
            var bytes = [UInt8](repeating: 0, count: 33)
            let count = retrying { read(number, &bytes, bytes.count) }
            guard count == 32 else {
                throw StenoError(
                    .invalidOption,
                    "The key file \(url.path) does not contain a 32-byte key. Name another file; for a new history, "
                        + "one that does not exist is created."
                )
            }
            return Array(bytes.prefix(32))
        }

        private static func check(_ descriptor: Int32, _ url: URL) throws {
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                throw failure(url, "is not a file")
            }
            guard status.st_mode & 0o077 == 0 else {
                throw StenoError(
                    .invalidOption, "The key file \(url.path) can be read by other users. Run: chmod 600 '\(url.path)'")
            }
        }

        /// Makes the file under another name first, so that no program reads half a key.
        private static func make(_ url: URL) throws -> [UInt8] {
            let bytes = RandomBytes.make(32)
            let temporary = url.path + ".\(UUID().uuidString)"
            let number = retrying { open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
            guard number >= 0 else { throw failure(url, "cannot be created: \(SystemCallError(call: "open"))") }
            defer { unlink(temporary) }
            let descriptor = OwnedDescriptor(number)
            defer { descriptor.close() }
            // A key that a power failure takes away takes the history with it.
            guard retrying({ write(number, bytes, bytes.count) }) == bytes.count, fsync(number) == 0 else {
                throw failure(url, "cannot be written: \(SystemCallError(call: "write"))")
            }
            // A link, unlike a rename, replaces no key that another program has made meanwhile.
            let failed = link(temporary, url.path) == 0 ? nil : SystemCallError(call: "link")
            // The name must survive a power failure, too; also that of a key that another program has made just now.
            try? url.deletingLastPathComponent().synchronize()
            guard let failed else { return bytes }
            guard failed.number == EEXIST else { throw failure(url, "cannot be created: \(failed)") }
            return try contents(of: url, creating: false)
        }

        private static func failure(_ url: URL, _ reason: String) -> StenoError {
            StenoError(.outputFailed, "The key file \(url.path) \(reason).")
        }
    }
#endif
