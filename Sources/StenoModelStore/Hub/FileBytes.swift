package import Foundation
import Steno

/// Reads files in pieces, so that even models of gigabytes take little memory.
package enum FileBytes {
    private static let pieceSize = 1 << 20

    /// Calls `body` with each piece of a file, from its beginning; returns the number of bytes.
    ///
    /// - Throws: `SystemCallError`, or the error that `body` throws.
    @discardableResult
    package static func forEachPiece(of file: URL, _ body: (UnsafeRawBufferPointer) throws -> Void) throws -> Int {
        guard let opened = OwnedDescriptor.open(file.path, O_RDONLY) else { throw SystemCallError(call: "open") }
        defer { opened.close() }
        var total = 0
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 16)
        defer { piece.deallocate() }
        while true {
            let count = retrying { read(opened.rawValue, piece.baseAddress, piece.count) }
            guard count >= 0 else { throw SystemCallError(call: "read") }
            guard count > 0 else { return total }
            try body(UnsafeRawBufferPointer(rebasing: piece[..<count]))
            total += count
        }
    }

    /// - Parameters:
    ///   - size: As in ``ContentHasher/init(size:)``.
    ///   - isCancelled: Called for each piece.
    package static func hash(
        _ file: URL, size: Int? = nil, isCancelled: () -> Bool = { false }
    ) throws -> (hasher: ContentHasher, count: Int) {
        var hasher = ContentHasher(size: size)
        let count = try forEachPiece(of: file) { piece in
            if isCancelled() { throw CancellationError() }
            hasher.update(piece)
        }
        return (hasher, count)
    }

    /// The size of a file in bytes, following links; nil if there is none.
    package static func size(_ file: URL) -> Int? {
        var status = stat()
        guard stat(file.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }
}

/// Sizes of files, as servers and receipts state them.
enum FileSize {
    /// The largest plausible size in bytes: a petabyte, far from integer overflow.
    static let limit = 1 << 50

    static func isPossible(_ size: Int) -> Bool { size >= 0 && size <= limit }

    /// A size that a server has stated.
    ///
    /// - Throws: `downloadFailed` if it is impossible.
    static func checked(_ size: Int) throws -> Int {
        guard isPossible(size) else {
            throw StenoError(
                .downloadFailed,
                "The server says that a file has \(size) bytes, which is impossible. A proxy or mirror may be wrong: check "
                    + "HF_ENDPOINT and HTTPS_PROXY.")
        }
        return size
    }

    /// The sum of sizes; the largest integer if it overflows.
    static func sum(_ sizes: some Sequence<Int>) -> Int {
        sizes.reduce(0) { (total: Int, size: Int) -> Int in
            let (sum, isBeyond) = total.addingReportingOverflow(size)
            return isBeyond ? Int.max : sum
        }
    }
}
