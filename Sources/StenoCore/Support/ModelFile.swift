import Foundation

/// A model's file, whose parts are read when they are needed.
///
/// It is not mapped into memory: if another program made a mapped file shorter, such as `cp` over it, reading would end
/// the process with SIGBUS.
package final class ModelFile: Sendable {
    /// The size in bytes, at least 1.
    package let byteCount: Int
    private let path: String
    private let descriptor: Int32
    private let version: Version

    /// - Throws: `modelNotFound` if it cannot be read, `modelDamaged` if it is empty.
    package init(path: String) throws {
        self.path = path
        // Without blocking, since opening a named pipe would wait for a writer before it could be rejected.
        let opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard opened >= 0 else { throw Self.unreadable(path) }
        do {
            version = try Self.version(opened, path)
            try ensure(version.size > 0, or: .modelDamaged, "\(path) is empty. Download the model again.")
        } catch {
            close(opened)
            throw error
        }
        descriptor = opened
        byteCount = version.size
    }

    deinit { close(descriptor) }

    private func read(_ range: Range<Int>, into memory: UnsafeMutableRawPointer) throws {
        var done = 0
        while done < range.count {
            // macOS reads at most 2 GB at a time.
            let count = pread(
                descriptor, memory + done, min(range.count - done, 1 << 30), off_t(range.lowerBound + done))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Self.unreadable(path) }
            guard count > 0 else { throw changed }
            done += count
        }
        // Afterwards: otherwise the bytes could be those of a file that was written meanwhile.
        guard try Self.version(descriptor, path) == version else { throw changed }
    }

    /// - Throws: `modelDamaged` if the file has changed since it was opened, `modelNotFound` if it cannot be read.
    package func bytes(_ range: Range<Int>) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            if let start = buffer.baseAddress { try read(range, into: start) }
            count = range.count
        }
    }

    /// For small files; `Data(contentsOf:)` would also do, but on Linux it leaks its buffer if reading fails.
    package func contents() throws -> [UInt8] { try bytes(0..<byteCount) }

    /// What changes when somebody writes to the file.
    private struct Version: Sendable, Hashable {
        let size: Int
        let seconds: Int
        let nanoseconds: Int

        init(_ status: stat) {
            size = Int(status.st_size)
            #if canImport(Darwin)
                let modified = status.st_mtimespec
            #else
                let modified = status.st_mtim
            #endif
            (seconds, nanoseconds) = (Int(modified.tv_sec), Int(modified.tv_nsec))
        }
    }

    private var changed: StenoError {
        StenoError(
            .modelDamaged,
            "\(path) changed while it was read. Load the model again once the file is complete; to replace a model, write "
                + "the new file next to it and rename it.")
    }

    private static func version(_ descriptor: Int32, _ path: String) throws -> Version {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw unreadable(path) }
        try ensure(
            status.st_mode & S_IFMT == S_IFREG, or: .modelNotFound,
            "\(path) is not a file. Check that this is the model folder.")
        return Version(status)
    }

    private static func unreadable(_ path: String) -> StenoError {
        let reason = String(cString: strerror(errno))
        return StenoError(
            .modelNotFound, "\(path) cannot be read (\(reason)). Check that the model folder is complete.")
    }
}
