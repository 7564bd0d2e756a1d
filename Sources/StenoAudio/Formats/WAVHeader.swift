import StenoCore

/// The header of a WAV file.
///
///     "RIFF" size "WAVE"                       or "RF64"/"BW64", whose 64-bit sizes are in a chunk "ds64";
///                                              in "RIFX" all numbers are big-endian
///       id size bytes…  (a pad byte if odd)    any chunks, in any order; unknown ones are skipped
///       "fmt " 16…40 bytes                     codec, channels, rate, bits; 40 bytes in WAVE_FORMAT_EXTENSIBLE
///       "data" size                            the samples; a size of 0 or 0xFFFFFFFF means "until the end"
///
/// Sources: Microsoft/IBM "Multimedia Programming Interface and Data Specifications 1.0" (RIFF, WAVE); Microsoft,
/// "Multiple channel audio data and WAVE files" (extensible); EBU Tech 3306 and ITU-R BS.2088 (RF64, BW64).
struct WAVHeader: Equatable {
    let format: PCMFormat
    /// The size of the samples according to the header; nil for "until the end".
    let byteCount: Int?
    /// Whether all numbers have their most significant byte first.
    var isBigEndian = false

    /// The number of bytes `isWAV` needs.
    static let magicLength = 12

    /// Whether a recording that begins with these bytes is a WAV file, whatever its name.
    static func isWAV(_ head: [UInt8]) -> Bool {
        guard head.count >= magicLength else { return false }
        return ["RIFF", "RIFX", "RF64", "BW64"].contains(text(head[0..<4])) && text(head[8..<12]) == "WAVE"
    }

    static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: Unicode.ASCII.self) }
}

/// The samples of a WAV file are not PCM; another decoder may support them.
struct UnsupportedWAVCodec: Error {
    let tag: Int

    /// A name for the error message; the tags are those of `mmreg.h`.
    var name: String {
        let known = [
            2: "Microsoft ADPCM", 6: "A-law", 7: "mu-law", 0x11: "IMA ADPCM", 0x31: "GSM 6.10",
            0x50: "MPEG", 0x55: "MP3",
        ]
        return known[tag] ?? "codec 0x" + String(tag, radix: 16)
    }
}

extension WAVHeader {
    /// Reads a header after its first 12 bytes (already read) and leaves the reader at the first sample.
    ///
    /// - Throws: `UnsupportedWAVCodec` for a codec other than PCM, otherwise `StenoError.audioDamaged`.
    init(after head: [UInt8], from bytes: ByteReader) throws {
        let order = ByteOrder(isBig: Self.text(head[0..<4]) == "RIFX")
        var parser = WAVParser(bytes: bytes, order: order, declaredSize: order.uint32(head, at: 4))
        self = try parser.parse()
    }
}

/// Parses the chunks up to "data".
private struct WAVParser {
    let bytes: ByteReader
    let order: ByteOrder
    /// The size in the RIFF header, which does not count its own first 8 bytes.
    let declaredSize: Int
    var format: PCMFormat?
    /// The size of "data" in the chunk "ds64".
    var longDataSize: Int?

    /// More chunks than any writer makes; stops at an endless pipe of zeros.
    static let chunkLimit = 4_096
    static let untilTheEnd = 0xFFFF_FFFF

    mutating func parse() throws -> WAVHeader {
        for _ in 0..<Self.chunkLimit {
            let head = try bytes.read(upTo: 8)
            guard head.count == 8 else { throw truncated() }
            let size = order.uint32(head, at: 4)
            switch WAVHeader.text(head[0..<4]) {
            case "data": return try header(dataSize: size)
            case "fmt ": format = try readFormat(size: size)
            case "ds64": longDataSize = try readLongSize(size: size)
            default: try skip(size + size % 2)  // A pad byte follows an odd chunk.
            }
        }
        throw damaged("has more than \(Self.chunkLimit) chunks before its samples.")
    }

    private func header(dataSize: Int) throws -> WAVHeader {
        guard let format else { throw damaged("has its samples before the chunk \"fmt \" that describes them.") }
        return WAVHeader(format: format, byteCount: try byteCount(dataSize), isBigEndian: order.isBig)
    }

    /// Interprets the size of "data": writers that do not know it yet write 0 or the largest number, and a recorder that
    /// was killed leaves it like that.
    private func byteCount(_ dataSize: Int) throws -> Int? {
        let size = dataSize == Self.untilTheEnd ? longDataSize ?? dataSize : dataSize
        if size == Self.untilTheEnd { return nil }
        guard size == 0 else { return size }
        return try isFinished() ? 0 : nil
    }

    /// Whether a file has no samples and was completed: its total size is right, and only whole chunks follow.
    private func isFinished() throws -> Bool {
        guard let total = bytes.size, declaredSize + 8 == total else { return false }
        let start = bytes.position
        defer { try? bytes.seek(to: start) }
        while bytes.position < total {
            let head = try bytes.read(upTo: 8)
            guard head.count == 8, head[0..<4].allSatisfy({ (0x20..<0x7F).contains($0) }) else { return false }
            let size = order.uint32(head, at: 4)
            guard try bytes.skip(size + size % 2) else { return false }
        }
        return true
    }

    private func readFormat(size: Int) throws -> PCMFormat {
        guard size >= 16 else { throw damaged("has a chunk \"fmt \" of \(size) bytes; it needs at least 16.") }
        let chunk = try read(size: size, atMost: 40)
        return try FormatChunk(chunk, order).format(damaged)
    }

    private func readLongSize(size: Int) throws -> Int {
        guard size >= 16 else { throw damaged("has a chunk \"ds64\" of \(size) bytes; it needs at least 16.") }
        let dataSize = try order.uint64(read(size: size, atMost: 16), at: 8)
        guard let size = Int(exactly: dataSize) else {
            throw damaged("claims \(dataSize) bytes of samples, which no file can hold.")
        }
        return size
    }

    /// Reads the start of a chunk and skips the rest.
    private func read(size: Int, atMost limit: Int) throws -> [UInt8] {
        let count = min(size, limit)
        let chunk = try bytes.read(upTo: count)
        guard chunk.count == count else { throw truncated() }
        try skip(size - count + size % 2)
        return chunk
    }

    private func skip(_ count: Int) throws {
        guard try bytes.skip(count) else { throw truncated() }
    }

    private func truncated() -> StenoError {
        damaged("ends inside its header, before the first sample. The file is cut off; copy or record it again.")
    }

    private func damaged(_ what: String) -> StenoError {
        StenoError(.audioDamaged, "\(bytes.name) is a damaged WAV file: it \(what)")
    }
}

/// The fields of the chunk "fmt ".
private struct FormatChunk {
    let tag: Int
    let channels: Int
    let sampleRate: Int
    let bytesPerFrame: Int
    let bits: Int

    static let pcm = 1
    static let float = 3
    static let extensible = 0xFFFE
    /// The last 14 bytes of the GUIDs that carry a plain codec tag (KSDATAFORMAT_SUBTYPE_WAVEFORMATEX).
    static let subtypeTail: [UInt8] = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]

    init(_ chunk: [UInt8], _ order: ByteOrder) {
        let tag = order.uint16(chunk, at: 0)
        let carriesTag = tag == Self.extensible && chunk.count >= 40 && Array(chunk[26..<40]) == Self.subtypeTail
        self.tag = carriesTag ? order.uint16(chunk, at: 24) : tag
        channels = order.uint16(chunk, at: 2)
        sampleRate = order.uint32(chunk, at: 4)
        bytesPerFrame = order.uint16(chunk, at: 12)
        bits = order.uint16(chunk, at: 14)
    }

    func format(_ damaged: (String) -> StenoError) throws -> PCMFormat {
        try ensure(
            PCMFormat.channelCounts.contains(channels),
            or: damaged("claims \(channels) channels; 1 to 256 are possible."))
        try ensure(
            PCMFormat.sampleRates.contains(sampleRate),
            or: damaged("claims \(sampleRate) samples per second; 1000 to 768000 are possible."))
        guard tag == Self.pcm || tag == Self.float else { throw UnsupportedWAVCodec(tag: tag) }
        guard let encoding else { throw damaged("claims samples of \(bits) bits, which its codec does not have.") }
        let format = try PCMFormat(encoding, sampleRate: sampleRate, channels: channels)
        // Some writers leave the frame size 0; any other value contradicts the rest of the header.
        try ensure(
            bytesPerFrame == 0 || bytesPerFrame == format.bytesPerFrame,
            or: damaged(
                "claims \(bytesPerFrame) bytes for a frame, but \(channels) channels of \(bits) bits take "
                    + "\(format.bytesPerFrame)."))
        return format
    }

    /// Samples of fewer bits than their bytes hold are left-aligned, so they are read at the full width.
    private var encoding: PCMFormat.Encoding? {
        switch (tag, bits) {
        case (Self.pcm, 1...8): .uint8
        case (Self.pcm, 9...16): .int16
        case (Self.pcm, 17...24): .int24
        case (Self.pcm, 25...32): .int32
        case (Self.float, 32): .float32
        case (Self.float, 64): .float64
        default: nil
        }
    }
}

/// The order of the bytes in a file's numbers.
private struct ByteOrder {
    let isBig: Bool

    func uint16(_ bytes: [UInt8], at offset: Int) -> Int { Int(number(bytes, at: offset, size: 2)) }

    func uint32(_ bytes: [UInt8], at offset: Int) -> Int { Int(number(bytes, at: offset, size: 4)) }

    func uint64(_ bytes: [UInt8], at offset: Int) -> UInt64 { number(bytes, at: offset, size: 8) }

    private func number(_ bytes: [UInt8], at offset: Int, size: Int) -> UInt64 {
        let own = bytes[offset..<(offset + size)]
        func join(_ value: UInt64, _ byte: UInt8) -> UInt64 { value << 8 | UInt64(byte) }
        return isBig ? own.reduce(0, join) : own.reversed().reduce(0, join)
    }
}
