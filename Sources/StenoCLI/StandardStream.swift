import Foundation

/// Standard output and standard error without buffers, so that what was written stays written when the program ends.
enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    /// Whether a person looks at it.
    var isTerminal: Bool { isatty(rawValue) == 1 }

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
