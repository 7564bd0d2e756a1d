import Foundation

/// The pages of an Ogg file (RFC 3533); only the last one is read.
enum OggPages {
    /// More than the longest page: a header of 27 bytes, 255 segment sizes and 255 segments.
    private static let tailLength = 1 << 17

    /// Whether the last page of a file is incomplete, or is not marked as the last; false for a pipe.
    static func isCutOff(_ bytes: ByteReader) -> Bool {
        guard let size = bytes.size, let tail = try? bytes.tail(min(size, tailLength)) else { return false }
        return isCutOff(tail)
    }

    /// The same, given the last bytes of a file.
    static func isCutOff(_ tail: [UInt8]) -> Bool {
        let mark = Array("OggS".utf8)
        guard tail.count >= mark.count else { return true }
        guard let start = (0...(tail.count - mark.count)).last(where: { tail[$0...].starts(with: mark) }) else {
            // No page is that long, so something else follows the audio.
            return false
        }
        let header = 27
        guard start + header <= tail.count else { return true }
        let segments = Int(tail[start + 26])
        guard start + header + segments <= tail.count else { return true }
        let length = tail[(start + header)..<(start + header + segments)].reduce(0) { $0 + Int($1) }
        let isLast = tail[start + 5] & 4 != 0
        return !isLast || start + header + segments + length > tail.count
    }
}
