import Foundation

/// The boxes of an MP4 file and its relatives (ISO/IEC 14496-12), whose order is all that matters here.
enum MP4Boxes {
    /// Whether the samples come before the index that locates them, so that a pipe cannot be decoded.
    ///
    /// The boxes before the samples are read, and can be passed to a decoder again.
    ///
    /// - Parameters:
    ///   - bytes: The audio, whose beginning, `start`, has been read.
    ///   - start: Its first bytes.
    static func needSeeking(_ bytes: ByteReader, _ start: [UInt8]) throws -> Bool {
        guard !bytes.isSeekable else { return false }
        var read = start
        var position = 0
        while true {
            // A size of 1 means that a 64-bit size follows, and 0 that the box extends to the end.
            while read.count < position + 16 {
                let more = try bytes.read(upTo: position + 16 - read.count)
                if more.isEmpty { return false }
                read += more
            }
            switch String(decoding: read[(position + 4)..<(position + 8)], as: UTF8.self) {
            case "mdat": return true
            // With these the index comes first, or in pieces.
            case "moov", "moof", "sidx": return false
            default: break
            }
            var size = number(read[position..<(position + 4)])
            if size == 1 { size = number(read[(position + 8)..<(position + 16)]) }
            guard size >= 8, size <= ByteReader.recordLimit - position - 16 else { return true }
            position += size
            while read.count < position {
                let more = try bytes.read(upTo: position - read.count)
                if more.isEmpty { return false }
                read += more
            }
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        Int(clamping: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}
