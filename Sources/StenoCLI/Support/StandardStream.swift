import Foundation

/// Standard output and standard error without buffers, so that what was written stays written when the program ends.
enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    /// Whether a person looks at it.
    var isTerminal: Bool { isatty(rawValue) == 1 }

    /// How many characters fit into a line of the terminal; 80 when it does not say.
    var columns: Int {
        var size = winsize()
        guard ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Gives the streams that were closed before the start to `/dev/null`, opened so that their use fails.
    ///
    /// Else the next file to be opened would get the number of standard output, and text would be written into it.
    static func occupyClosed() {
        for (number, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(number, F_GETFD) < 0 {
            // The lowest free number is the one that was found closed.
            _ = open("/dev/null", mode)
        }
    }

    /// Writes all of the text; returns the error number when that fails, `EPIPE` when nobody reads any more.
    @discardableResult
    func write(_ text: String) -> Int32? {
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
