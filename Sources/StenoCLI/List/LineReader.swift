import Foundation
import Steno

/// Reads the lines of a file or a pipe in bounded memory.
///
/// It reads only a little ahead, so a program that writes the list waits until more lines are needed.
struct LineReader {
    enum Next: Equatable {
        /// The bytes of a line, without its end.
        case line([UInt8])
        /// A line longer than ``limit``; these are its first bytes.
        case tooLong([UInt8])
        /// No line is complete yet.
        case notYet
        case end
    }

    /// The length of the longest line, in bytes.
    static let limit = 1 << 20
    private static let blockSize = 1 << 16
    private static let lineFeed = UInt8(ascii: "\n")

    private let descriptor: OwnedDescriptor
    private let interruption: Interruption
    private var buffer: [UInt8] = []
    /// The number of buffered bytes without a line break.
    private var searched = 0
    /// The beginning of a line that is too long; the rest of that line is skipped.
    private var dropped: [UInt8]?
    private var hasEnded = false

    /// - Parameter interruption: Ends a read that is waiting.
    init(_ descriptor: OwnedDescriptor, interruption: Interruption) {
        self.descriptor = descriptor
        self.interruption = interruption
    }

    /// - Parameter waits: Whether to block until there is one; otherwise the unread input is checked once.
    /// - Throws: `SystemCallError`; `StenoError.cancelled` if reading was interrupted.
    mutating func next(waits: Bool) throws -> Next {
        while true {
            if let line = takeLine() { return line }
            if hasEnded { return takeRest() }
            guard try waits || isReadable else { return .notYet }
            try read()
            guard waits else { return takeLine() ?? (hasEnded ? takeRest() : .notYet) }
        }
    }

    private mutating func takeLine() -> Next? {
        guard let end = buffer[searched...].firstIndex(of: Self.lineFeed) else {
            searched = buffer.count
            if buffer.count > Self.limit { drop() }
            return nil
        }
        let line = Array(buffer[..<end])
        buffer.removeFirst(end + 1)
        searched = 0
        return take(line)
    }

    /// The text after the last line feed.
    private mutating func takeRest() -> Next {
        guard !buffer.isEmpty || dropped != nil else { return .end }
        let line = buffer
        (buffer, searched) = ([], 0)
        return take(line)
    }

    private mutating func take(_ line: [UInt8]) -> Next {
        defer { dropped = nil }
        if let dropped { return .tooLong(dropped) }
        return line.count > Self.limit ? .tooLong(Array(line.prefix(80))) : .line(line)
    }

    private mutating func drop() {
        dropped = dropped ?? Array(buffer.prefix(80))
        buffer.removeAll(keepingCapacity: true)
        searched = 0
    }

    private var isReadable: Bool {
        get throws {
            var entry = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
            let count = retrying { poll(&entry, 1, 0) }
            guard count >= 0 else { throw SystemCallError(call: "poll") }
            return count > 0
        }
    }

    private mutating func read() throws {
        try interruption.waitUntilReadable(descriptor.rawValue)
        let start = buffer.count
        buffer.append(contentsOf: [UInt8](repeating: 0, count: Self.blockSize))
        let count = buffer.withUnsafeMutableBytes { bytes in
            retrying {
                Foundation.read(
                    descriptor.rawValue, UnsafeMutableRawBufferPointer(rebasing: bytes[start...]).baseAddress,
                    Self.blockSize)
            }
        }
        buffer.removeLast(Self.blockSize - max(0, count))
        guard count >= 0 else { throw SystemCallError(call: "read") }
        if count == 0 { hasEnded = true }
    }
}
