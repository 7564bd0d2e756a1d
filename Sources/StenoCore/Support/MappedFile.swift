#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// A memory-mapped file: pages are read when they are accessed and can be evicted again.
package final class MappedFile: @unchecked Sendable {
    // Sendable: the mapping is private, read-only, and lives as long as this object.
    package let bytes: UnsafeRawBufferPointer

    package init(path: String) throws {
        // Without blocking, since opening a named pipe would wait for a writer before it could be rejected.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw MappedFile.unreadable(path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw MappedFile.unreadable(path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw StenoError(.modelNotFound, "\(path) is not a file. Check that this is the model folder.")
        }
        let size = Int(status.st_size)
        guard size > 0 else {
            throw StenoError(.modelDamaged, "\(path) is empty. Download the model again.")
        }
        guard let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else {
            throw MappedFile.unreadable(path)
        }
        bytes = UnsafeRawBufferPointer(start: start, count: size)
    }

    deinit { munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }

    /// A copy of all bytes, for small files.
    ///
    /// `Data(contentsOf:)` would also do, but on Linux it leaks its buffer if reading fails.
    package var contents: [UInt8] { withExtendedLifetime(self) { [UInt8](bytes) } }

    /// Lets the system evict a part that has been read; it remains readable.
    ///
    /// Otherwise the whole file would stay in memory next to the packed weights until loading ends. The page in which
    /// the part begins is included, since the bytes before it have usually been read.
    package func forget(_ range: Range<Int>) {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let start = range.lowerBound / page * page
        let end = range.upperBound / page * page
        guard start < end, let base = bytes.baseAddress else { return }
        madvise(UnsafeMutableRawPointer(mutating: base + start), end - start, MADV_DONTNEED)
    }

    private static func unreadable(_ path: String) -> StenoError {
        let reason = String(cString: strerror(errno))
        return StenoError(
            .modelNotFound, "\(path) cannot be read (\(reason)). Check that the model folder is complete.")
    }
}
