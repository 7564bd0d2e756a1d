import Foundation
import StenoCore

/// Reads the bytes of a file or a pipe in order.
final class ByteReader {
    /// The name of the input in messages: a quoted path, or "Standard input".
    let name: String
    let descriptor: OwnedDescriptor
    let interruption: Interruption
    /// The length in bytes from the first byte to the end; nil for a pipe or a device.
    let size: Int?
    private(set) var position = 0

    /// The offset of the first byte; redirected standard input need not start at the beginning of its file.
    private let origin: Int
    /// The bytes read so far, while they may still have to be passed to another decoder.
    private var record: [UInt8]? = []

    /// Whether an end of file may only mean that the named pipe has no writer yet.
    private let awaitsWriter: Bool

    /// Recording stops at this length, which no real header reaches.
    static let recordLimit = 1 << 20

    /// - Parameter isNamed: Whether the descriptor was opened by a path, which may name a pipe.
    init(_ descriptor: OwnedDescriptor, name: String, interruption: Interruption, isNamed: Bool = false) {
        self.descriptor = descriptor
        awaitsWriter = isNamed && Interruption.seesEndBeforeWriter
        (self.name, self.interruption) = (name, interruption)
        var status = stat()
        let isRegular = fstat(descriptor.rawValue, &status) == 0 && (status.st_mode & S_IFMT) == S_IFREG
        origin = isRegular ? max(0, Int(lseek(descriptor.rawValue, 0, SEEK_CUR))) : 0
        size = isRegular ? max(0, Int(status.st_size) - origin) : nil
    }

    /// Whether the bytes can be read again from the start.
    var isSeekable: Bool { size != nil }

    /// Reads the bytes available now, blocking until there is at least one; returns 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard let base = buffer.baseAddress, !buffer.isEmpty else { return 0 }
        var count = 0
        repeat {
            try interruption.waitUntilReadable(descriptor.rawValue)
            count = retrying { Foundation.read(descriptor.rawValue, base, buffer.count) }
            guard count >= 0 else { throw SystemCallError(call: "read").explained("\(name) could not be read") }
        } while try count == 0 && position == 0 && awaitsWriter && !isSeekable && interruption.wait(milliseconds: 20)
        position += count
        keep(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        return count
    }

    /// Reads exactly `count` bytes, or fewer at the end.
    func read(upTo count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        try bytes.withUnsafeMutableBytes { bytes in
            while filled < count {
                let more = try read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[filled...]))
                if more == 0 { break }
                filled += more
            }
        }
        bytes.removeLast(count - filled)
        return bytes
    }

    /// Skips bytes; returns false if the end comes first.
    func skip(_ count: Int) throws -> Bool {
        if let size {
            guard count <= size - position else { return false }
            try seek(to: position + count)
            return true
        }
        var left = count
        while left > 0 {
            let passed = try read(upTo: min(left, 1 << 14)).count
            if passed == 0 { return false }
            left -= passed
        }
        return true
    }

    /// Seeks to a byte of a file, counted from the first one; pipes cannot seek.
    func seek(to offset: Int) throws {
        precondition(isSeekable, "only files can be read twice")
        try ensure(
            lseek(descriptor.rawValue, off_t(origin + offset), SEEK_SET) >= 0,
            or: SystemCallError(call: "lseek").explained("\(name) could not be read"))
        position = offset
    }

    /// The last bytes of a file; the position does not change.
    func tail(_ count: Int) throws -> [UInt8] {
        guard let size, count <= size else { return [] }
        var tail = [UInt8](repeating: 0, count: count)
        let read = tail.withUnsafeMutableBytes { tail in
            retrying { pread(descriptor.rawValue, tail.baseAddress, count, off_t(origin + size - count)) }
        }
        guard read == count else { throw SystemCallError(call: "pread").explained("\(name) could not be read") }
        return tail
    }

    /// The bytes read so far, for a decoder that must read them again; nil if there were too many to keep.
    var passed: [UInt8]? { record }

    func forgetPassed() { record = nil }

    private func keep(_ bytes: UnsafeRawBufferPointer) {
        guard !isSeekable, let count = record?.count else { return }
        if count + bytes.count > Self.recordLimit {
            record = nil
        } else {
            record?.append(contentsOf: bytes)
        }
    }
}
