import Steno

/// Sizes of files, as servers and receipts state them.
enum FileSize {
    /// The largest size that is believed, in bytes: a petabyte, far from where numbers end.
    static let limit = 1 << 50

    /// Whether a file can have a size.
    static func isPossible(_ size: Int) -> Bool { size >= 0 && size <= limit }

    /// A size that a server has stated.
    ///
    /// - Throws: `downloadFailed` when no file can have it.
    static func checked(_ size: Int) throws -> Int {
        guard isPossible(size) else {
            throw StenoError(
                .downloadFailed,
                "The server says that a file has \(size) bytes, which is impossible. A proxy or mirror may be wrong: check "
                    + "HF_ENDPOINT and HTTPS_PROXY.")
        }
        return size
    }

    /// The sum of sizes; the largest number when the sum is beyond it.
    static func sum(_ sizes: some Sequence<Int>) -> Int {
        sizes.reduce(0) { (total: Int, size: Int) -> Int in
            let (sum, isBeyond) = total.addingReportingOverflow(size)
            return isBeyond ? Int.max : sum
        }
    }
}
