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

    /// Whether this is a container for several tracks.
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
