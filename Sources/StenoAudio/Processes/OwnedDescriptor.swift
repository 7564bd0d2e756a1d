import Foundation
package import StenoCore

/// A file descriptor that is closed once: by `close()`, or when the last reference is released.
///
/// `@unchecked Sendable`: the only mutable state is `isOpen`, and every access to it holds the lock. The number itself
/// never changes, so a reader on another thread may use it as long as it keeps the object.
package final class OwnedDescriptor: @unchecked Sendable {
    package let rawValue: Int32
    private let lock = NSLock()
    private var isOpen = true

    package init(_ rawValue: Int32) { self.rawValue = rawValue }

    deinit { close() }

    package func close() { end {} }

    /// Writes all of the text as UTF-8; blocks while a pipe is full.
    package func write(_ text: String) throws(SystemCallError) {
        var text = text
        let failure: SystemCallError? = text.withUTF8 { bytes in
            do throws(SystemCallError) {
                try write(UnsafeRawBufferPointer(bytes))
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }

    /// Writes all of the bytes, at a position in a file, or if it is nil, where the last write ended.
    package func write(_ bytes: UnsafeRawBufferPointer, at position: Int? = nil) throws(SystemCallError) {
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            let place = position.map { off_t($0 + written) }
            let count = retrying {
                place.map { pwrite(rawValue, rest.baseAddress, rest.count, $0) }
                    ?? Foundation.write(rawValue, rest.baseAddress, rest.count)
            }
            guard count > 0 else { throw SystemCallError(call: position == nil ? "write" : "pwrite") }
            written += count
        }
    }

    /// Closes a descriptor that holds a flock(2) lock.
    ///
    /// Just closing would leave the lock to child processes that have not started their own program yet: until then
    /// they share the open file.
    package func unlockAndClose() { end { _ = flock(rawValue, LOCK_UN) } }

    private func end(_ last: () -> Void) {
        lock.withLock {
            guard isOpen else { return }
            isOpen = false
            last()
            _ = Foundation.close(rawValue)
        }
    }
}

extension OwnedDescriptor {
    /// Opens a file as open(2) does; children do not inherit the descriptor.
    ///
    /// - Returns: nil when it cannot be opened; the caller must create a ``SystemCallError`` at once.
    package static func open(_ path: String, _ flags: Int32, mode: Int = 0) -> OwnedDescriptor? {
        let descriptor = retrying { Foundation.open(path, flags | O_CLOEXEC, mode_t(mode)) }
        return descriptor >= 0 ? OwnedDescriptor(descriptor) : nil
    }

    /// Opens an existing file, without waiting; children do not inherit the descriptor.
    ///
    /// A named pipe without a writer would block `open` until there is one, and no ``Interruption`` could end that.
    /// Opened at once, it blocks the first read instead, which can be interrupted.
    package static func openForReading(_ path: String, name: String? = nil) throws(StenoError) -> OwnedDescriptor {
        guard let file = open(path, O_RDONLY | O_NONBLOCK) else {
            throw SystemCallError(call: "open").explained("\(name ?? path) could not be opened")
        }
        // Reads block as usual; only the opening must not.
        _ = fcntl(file.rawValue, F_SETFL, fcntl(file.rawValue, F_GETFL) & ~O_NONBLOCK)
        return file
    }

    /// A second descriptor of an open file, so that closing ours does not close the caller's.
    package static func duplicating(_ descriptor: Int32, name: String) throws(StenoError) -> OwnedDescriptor {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { throw SystemCallError(call: "fcntl").explained("\(name) could not be opened") }
        return OwnedDescriptor(copy)
    }

    /// A pipe whose ends are not inherited by children; otherwise a child could hold an end open and the reader would
    /// wait forever.
    package static func pipe() throws(StenoError) -> (readEnd: OwnedDescriptor, writeEnd: OwnedDescriptor) {
        var ends: [Int32] = [-1, -1]
        try ensure(Foundation.pipe(&ends) == 0, or: SystemCallError(call: "pipe").explained("A pipe could not be made"))
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (OwnedDescriptor(ends[0]), OwnedDescriptor(ends[1]))
    }
}

#if os(Linux)
    extension OwnedDescriptor {
        /// Sets the capacity of a pipe in bytes, as far as the system allows; the default is 64 kB.
        package func makeRoom(for bytes: Int) { _ = fcntl(rawValue, Self.setPipeSize, Int32(bytes)) }

        /// `F_SETPIPE_SZ` of fcntl(2), which is not imported into Swift.
        private static var setPipeSize: Int32 { 1031 }
    }
#endif

/// A system call that failed, with the reason the system gave.
package struct SystemCallError: Error, CustomStringConvertible {
    package let call: String
    package let number: Int32

    /// Stores `errno`, so it must be created before any other call.
    package init(call: String) { self.init(call: call, number: errno) }

    package init(call: String, number: Int32) { (self.call, self.number) = (call, number) }

    /// The system's own words, such as "Permission denied".
    package var description: String { String(cString: strerror(number)) }

    /// The error for callers of the library.
    package func explained(_ what: String) -> StenoError {
        StenoError(.audioNotFound, "\(what): \(self).", underlying: self)
    }
}

/// Repeats a system call that a signal interrupted.
package func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}
