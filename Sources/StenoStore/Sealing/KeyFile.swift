import Foundation
import Steno

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A file with a key: 32 bytes that only its owner can read.
enum KeyFile {
    /// The bytes of the file, which is made with a random key if it does not exist.
    static func contents(of url: URL) throws -> [UInt8] {
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0, errno == ENOENT { return try make(url) }
        guard descriptor >= 0 else { throw failure(url, "cannot be read (\(String(cString: strerror(errno))))") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw failure(url, "is not a file")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw StenoError(
                .invalidOption, "The key file \(url.path) can be read by others. Run: chmod 600 \(url.path)")
        }
        var bytes = [UInt8](repeating: 0, count: 33)
        let count = read(descriptor, &bytes, bytes.count)
        guard count == 32 else {
            throw StenoError(
                .invalidOption,
                "The key file \(url.path) is not a key of 32 bytes. Name another file; one that does not exist is made.")
        }
        return Array(bytes.prefix(32))
    }

    private static func make(_ url: URL) throws -> [UInt8] {
        let bytes = StoreKey.random().bytes ?? []
        let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(url, "cannot be made (\(String(cString: strerror(errno))))") }
        let written = write(descriptor, bytes, bytes.count)
        // A key that is lost in a power failure takes the history with it.
        let isSafe = written == bytes.count && fsync(descriptor) == 0
        close(descriptor)
        guard isSafe else {
            unlink(url.path)
            throw failure(url, "cannot be written (is the disk full?)")
        }
        return bytes
    }

    private static func failure(_ url: URL, _ reason: String) -> StenoError {
        StenoError(.outputFailed, "The key file \(url.path) \(reason).")
    }
}
