#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// A file's bytes in memory without reading them: the system brings in what is touched and may drop it again.
package final class MappedFile: @unchecked Sendable {
    // Sendable: the mapping is private and read-only, and lives as long as this object.
    /// All bytes of the file.
    package let bytes: UnsafeRawBufferPointer

    /// Maps the file at a path.
    package init(path: String) throws {
        // Not blocking: a named pipe would wait for a writer before it could be refused.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw MappedFile.unreadable(path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw MappedFile.unreadable(path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw StenoError(.modelNotFound, "\(path) is not a file. Is this the model folder?")
        }
        let size = Int(status.st_size)
        guard size > 0 else {
            throw StenoError(.modelDamaged, "\(path) is empty. Fetch the model again.")
        }
        guard let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else {
            throw MappedFile.unreadable(path)
        }
        bytes = UnsafeRawBufferPointer(start: start, count: size)
    }

    deinit { munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }

    /// All bytes, copied: for small files.
    ///
    /// `Data(contentsOf:)` would do, but on Linux it leaks its buffer when the reading fails.
    package var contents: [UInt8] { withExtendedLifetime(self) { [UInt8](bytes) } }

    /// Lets the system take back the memory of a part that has been read; it stays readable.
    ///
    /// Otherwise the whole file would be in memory beside the weights packed from it until the loading is over. The
    /// page where the part begins is included, since what comes before has usually been read.
    package func forget(_ range: Range<Int>) {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let start = range.lowerBound / page * page
        let end = range.upperBound / page * page
        guard start < end, let base = bytes.baseAddress else { return }
        madvise(UnsafeMutableRawPointer(mutating: base + start), end - start, MADV_DONTNEED)
    }

    private static func unreadable(_ path: String) -> StenoError {
        let reason = String(cString: strerror(errno))
        return StenoError(.modelNotFound, "\(path) cannot be read (\(reason)). Is the model folder complete?")
    }
}
