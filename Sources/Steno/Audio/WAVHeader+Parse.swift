import StenoCore

extension WAVHeader {
    /// Reads a header after its first 12 bytes (already read) and leaves the reader at the first sample.
    ///
    /// - Throws: `UnsupportedWAVCodec` for a codec other than PCM, otherwise `StenoError.audioDamaged`.
    init(after head: [UInt8], from bytes: ByteReader) throws {
        var parser = WAVParser(bytes: bytes, declaredSize: head.uint32(at: 4))
        self = try parser.parse()
    }
}

/// Parses the chunks up to "data".
private struct WAVParser {
    let bytes: ByteReader
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
            let size = head.uint32(at: 4)
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
        guard let format else {
            throw damaged("has its samples before the chunk \"fmt \" that describes them.")
        }
        return WAVHeader(format: format, byteCount: byteCount(dataSize))
    }

    /// Interprets the size of "data": writers to a pipe do not know it and write 0 or the largest number.
    private func byteCount(_ dataSize: Int) -> Int? {
        let size = dataSize == Self.untilTheEnd ? longDataSize ?? dataSize : dataSize
        if size == Self.untilTheEnd { return nil }
        guard size == 0 else { return size }
        // A finished file without samples: its total size is right, so the 0 is too.
        let isFinished = bytes.size.map { declaredSize + 8 == $0 } ?? false
        return isFinished ? 0 : nil
    }

    private func readFormat(size: Int) throws -> PCMFormat {
        guard size >= 16 else { throw damaged("has a chunk \"fmt \" of \(size) bytes; it needs at least 16.") }
        let chunk = try read(size: size, atMost: 40)
        return try FormatChunk(chunk).format(damaged)
    }

    private func readLongSize(size: Int) throws -> Int {
        guard size >= 16 else { throw damaged("has a chunk \"ds64\" of \(size) bytes; it needs at least 16.") }
        let dataSize = try read(size: size, atMost: 16).uint64(at: 8)
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

    init(_ chunk: [UInt8]) {
        let tag = chunk.uint16(at: 0)
        let carriesTag = tag == Self.extensible && chunk.count >= 40 && Array(chunk[26..<40]) == Self.subtypeTail
        self.tag = carriesTag ? chunk.uint16(at: 24) : tag
        channels = chunk.uint16(at: 2)
        sampleRate = chunk.uint32(at: 4)
        bytesPerFrame = chunk.uint16(at: 12)
        bits = chunk.uint16(at: 14)
    }

    func format(_ damaged: (String) -> StenoError) throws -> PCMFormat {
        guard PCMFormat.channelCounts.contains(channels) else {
            throw damaged("claims \(channels) channels; 1 to 256 are possible.")
        }
        guard PCMFormat.sampleRates.contains(sampleRate) else {
            throw damaged("claims \(sampleRate) samples per second; 1000 to 768000 are possible.")
        }
        guard tag == Self.pcm || tag == Self.float else { throw UnsupportedWAVCodec(tag: tag) }
        guard let encoding else { throw damaged("claims samples of \(bits) bits, which its codec does not have.") }
        let format = try PCMFormat(encoding, sampleRate: sampleRate, channels: channels)
        // Some writers leave the frame size 0; any other value contradicts the rest of the header.
        guard bytesPerFrame == 0 || bytesPerFrame == format.bytesPerFrame else {
            throw damaged(
                "claims \(bytesPerFrame) bytes for a frame, but \(channels) channels of \(bits) bits take "
                    + "\(format.bytesPerFrame).")
        }
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

extension [UInt8] {
    /// A little-endian 16-bit number.
    fileprivate func uint16(at offset: Int) -> Int { Int(self[offset]) | Int(self[offset + 1]) << 8 }

    /// A little-endian 32-bit number.
    fileprivate func uint32(at offset: Int) -> Int { uint16(at: offset) | uint16(at: offset + 2) << 16 }

    /// A little-endian 64-bit number.
    fileprivate func uint64(at offset: Int) -> UInt64 {
        UInt64(uint32(at: offset)) | UInt64(uint32(at: offset + 4)) << 32
    }
}
