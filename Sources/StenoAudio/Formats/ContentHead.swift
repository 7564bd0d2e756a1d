import Foundation

/// The type of a file according to its first bytes.
struct ContentHead: Sendable {
    /// The number of bytes examined.
    static let length = 512

    private let bytes: [UInt8]
    /// Whether the last page of an Ogg file is incomplete or is not marked as the last.
    var isCutOff = false

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The kind of file that is not audio, worded to follow "is"; nil if it may be audio.
    var otherKind: String? {
        if let kind = Self.kinds.first(where: { bytes.starts(with: $0.0) })?.1 { return kind }
        if has("WEBP", at: 8) { return "an image (WebP)" }
        guard isText else { return nil }
        let text = String(decoding: bytes, as: UTF8.self).lowercased()
        if text.contains("<svg") { return "an image (SVG)" }
        return text.contains("<html") || text.contains("<!doctype html") ? "a web page" : nil
    }

    private static let kinds: [([UInt8], String)] = [
        ([0x89, 0x50, 0x4E, 0x47], "an image (PNG)"), ([0xFF, 0xD8, 0xFF], "an image (JPEG)"),
        (Array("GIF8".utf8), "an image (GIF)"), (Array("BM".utf8) + [0, 0], "an image (BMP)"),
        (Array("%PDF".utf8), "a PDF document"), ([0x50, 0x4B, 3, 4], "a ZIP archive or an office document"),
        ([0x1F, 0x8B], "a compressed file (gzip)"),
        (Array("7z\u{BC}".unicodeScalars.map { UInt8($0.value) }), "an archive"),
        ([0x7F, 0x45, 0x4C, 0x46], "a program"), (Array("SQLite format".utf8), "a database"),
    ]

    /// Whether all bytes are printable text.
    var isText: Bool {
        !bytes.isEmpty && bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || [0x09, 0x0A, 0x0D].contains($0) }
            && String(bytes: bytes.dropLast(3), encoding: .utf8) != nil
    }

    /// Whether these are the first bytes of an audio format: a file that cannot be decoded is then damaged.
    var isAudio: Bool {
        isOgg || mayHoldTracks
            || ["ID3", "fLaC", "FORM", "caff", "RIFF", "RF64", "RIFX", ".snd", "#!AMR", "wvpk", "MAC "]
                .contains { has($0, at: 0) }
            || isMPEGAudio
    }

    private var isMPEGAudio: Bool { bytes.count > 1 && bytes[0] == 0xFF && bytes[1] & 0xE0 == 0xE0 }

    var isOgg: Bool { has("OggS", at: 0) }

    /// Whether this is MP4 or one of its relatives.
    var isMP4: Bool { ["ftyp", "moov", "mdat", "wide", "skip", "free"].contains { has($0, at: 4) } }

    var mayHoldTracks: Bool {
        let starts: [[UInt8]] = [
            // Matroska, ASF, MPEG programme and transport streams, Flash.
            [0x1A, 0x45, 0xDF, 0xA3], [0x30, 0x26, 0xB2, 0x75], [0, 0, 1, 0xBA], [0x47, 0x40], Array("FLV".utf8),
        ]
        return isMP4 || has("AVI ", at: 8) || starts.contains { bytes.starts(with: $0) }
    }

    /// The length in seconds of a FLAC file, by its STREAMINFO (RFC 9639, section 8.2); nil if it is not known.
    var flacDuration: Double? {
        guard has("fLaC", at: 0), bytes.count >= 26, bytes[4] & 0x7F == 0 else { return nil }
        let packed = bytes[18..<26].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let (rate, frames) = (packed >> 44, packed & 0xF_FFFF_FFFF)
        return rate > 0 && frames > 0 ? Double(frames) / Double(rate) : nil
    }

    private func has(_ text: String, at offset: Int) -> Bool { bytes.dropFirst(offset).starts(with: text.utf8) }
}

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
