import Foundation

/// The lines of a pipe, each as soon as its line break is written; text after the last line break is ignored.
///
/// Reading blocks the thread.
package struct PipeLines: Sequence, IteratorProtocol {
    private let descriptor: OwnedDescriptor
    private var bytes: [UInt8] = []

    package init(_ descriptor: OwnedDescriptor) { self.descriptor = descriptor }

    /// The next line, without its line break; nil at the end of the pipe.
    package mutating func next() -> String? {
        while true {
            if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
                defer { bytes.removeFirst(end + 1) }
                return String(decoding: bytes[..<end], as: UTF8.self)
            }
            var piece = [UInt8](repeating: 0, count: 4096)
            let count = retrying { read(descriptor.rawValue, &piece, piece.count) }
            guard count > 0 else { return nil }
            bytes += piece[..<count]
        }
    }
}
