package import Foundation

/// Writes a new file sequentially, through a buffer of 1 MB.
package final class FileWriter {
    private let path: String
    private var descriptor: Int32
    private var buffer: [UInt8] = []

    private static let bufferSize = 1 << 20

    /// - Throws: `outputFailed`, for instance if the file already exists.
    package init(creating path: String) throws {
        self.path = path
        buffer.reserveCapacity(Self.bufferSize)
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw failure }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    package private(set) var byteCount = 0

    /// - Throws: `outputFailed`, for instance on a full disk.
    package func write(_ bytes: UnsafeRawBufferPointer) throws {
        byteCount += bytes.count
        if buffer.count + bytes.count > Self.bufferSize { try flush() }
        guard bytes.count < Self.bufferSize else { return try put(bytes) }
        buffer.append(contentsOf: bytes)
    }

    package func write(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try write($0) } }

    /// Appends a number, little-endian.
    package func write(_ number: some FixedWidthInteger) throws {
        try withUnsafeBytes(of: number.littleEndian) { try write($0) }
    }

    /// Writes the remaining bytes to disk and closes the file.
    package func finish() throws {
        try flush()
        guard fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP else { throw failure }
        let closed = close(descriptor)
        descriptor = -1
        guard closed == 0 else { throw failure }
    }

    private func flush() throws {
        try buffer.withUnsafeBytes { try put($0) }
        buffer.removeAll(keepingCapacity: true)
    }

    private func put(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes
        while !rest.isEmpty {
            let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
    }

    private var failure: StenoError {
        StenoError(
            .outputFailed,
            "\(path) cannot be written: \(String(cString: strerror(errno))). Check the folder's "
                + "permissions and free space.")
    }
}

/// The names of files and folders that are not complete yet; ``AtomicFile`` removes such files of killed processes.
package enum TemporaryName {
    package static let prefix = ".steno-"

    package static func url(in folder: URL) -> URL { folder.appendingPathComponent(prefix + UUID().uuidString) }
}

/// Creates a folder of files atomically: others see all of it or nothing, and a failure leaves nothing behind.
package enum AtomicFolder {
    /// Creates a folder next to its destination and then renames it.
    ///
    /// - Parameters:
    ///   - replacing: Whether an existing folder is replaced once the new one is complete.
    ///   - fill: Writes the files to the folder at a URL.
    /// - Throws: `outputFailed`, or what `fill` throws.
    package static func make(_ folder: URL, replacing: Bool, fill: (URL) throws -> Void) throws {
        let manager = FileManager.default
        let parent = folder.standardizedFileURL.deletingLastPathComponent()
        let temporary = TemporaryName.url(in: parent)
        defer { try? manager.removeItem(at: temporary) }
        try explaining(folder) {
            try manager.createDirectory(at: parent, withIntermediateDirectories: true)
            try manager.createDirectory(at: temporary, withIntermediateDirectories: false)
        }
        try fill(temporary)
        try explaining(folder) {
            guard replacing, manager.fileExists(atPath: folder.path) else {
                return try manager.moveItem(at: temporary, to: folder)
            }
            let old = TemporaryName.url(in: parent)
            try manager.moveItem(at: folder, to: old)
            do {
                try manager.moveItem(at: temporary, to: folder)
            } catch {
                try? manager.moveItem(at: old, to: folder)
                throw error
            }
            try manager.removeItem(at: old)
        }
    }

    private static func explaining(_ folder: URL, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            throw StenoError(
                .outputFailed, "\(folder.path) cannot be written: \(error.localizedDescription)", underlying: error)
        }
    }
}
