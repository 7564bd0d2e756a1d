import Foundation
import StenoCore

/// A way to end a blocking read from another thread, at once and for good.
///
/// A pipe that nobody writes to: closing its write end makes the read end readable, which wakes every `poll`.
package final class Interruption: Sendable {
    private let readEnd: OwnedDescriptor
    private let writeEnd: OwnedDescriptor

    package init() throws { (readEnd, writeEnd) = try OwnedDescriptor.pipe() }

    /// Ends the reading: the read that waits, and every later one, throws `StenoError.cancelled`.
    package func interrupt() { writeEnd.close() }

    /// Blocks until the descriptor has bytes (or its end) to read.
    package func waitUntilReadable(_ descriptor: Int32) throws {
        var entries = [
            pollfd(fd: readEnd.rawValue, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        ]
        let status = retrying { poll(&entries, 2, -1) }
        guard status >= 0 else { throw SystemCallError(call: "poll").explained("The sound could not be waited for") }
        if entries[0].revents != 0 { throw Self.cancelled }
    }

    private static var cancelled: StenoError { StenoError(.cancelled, "The reading of the sound was cancelled.") }
}
