import Foundation

/// Unbuffered standard output and standard error, so that nothing is lost when the program exits.
package enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    package var isTerminal: Bool { isatty(rawValue) == 1 }

    /// Whether it is a terminal that can erase lines.
    package var canErase: Bool { isTerminal && !Self.isDumb }

    /// Whether the terminal, if there is one, does not support escape sequences.
    package static var isDumb: Bool {
        ProcessInfo.processInfo.environment["TERM"].map { $0.isEmpty || $0 == "dumb" } ?? true
    }

    /// The width of the terminal in columns; 80 when it is unknown.
    package var columns: Int {
        var size = winsize()
        guard ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Opens `/dev/null` for standard streams that were closed at the start, in a mode that makes their use fail.
    ///
    /// Otherwise the next file opened would get the descriptor of standard output, and text would be written into it.
    package static func occupyClosed() {
        for (number, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(number, F_GETFD) < 0 {
            // `open` returns the lowest free descriptor, which is the one found closed.
            _ = open("/dev/null", mode)
        }
    }

    /// Writes all of the text; returns the error number on failure, `EPIPE` when the reader is gone.
    @discardableResult
    package func write(_ text: String) -> Int32? {
        var text = text
        return text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = Foundation.write(rawValue, rest.baseAddress, rest.count)
                if count > 0 {
                    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
                } else if count < 0, errno != EINTR {
                    return errno
                }
            }
            return nil
        }
    }
}
