/// The header that ``WAVWriter`` writes.
struct WAVWriterHeader {
    let encoding: WAVWriter.Encoding
    let sampleRate: Int
    let channels: Int
    /// Whether there is room for 64-bit sizes.
    let canGrow: Bool
    /// The size of the samples, in bytes, from which 64-bit sizes are needed.
    let limit: Int

    var bytesPerSample: Int { encoding == .int16 ? 2 : 4 }
    var bytesPerFrame: Int { bytesPerSample * channels }

    /// For 16-bit samples, the simplest header: 44 bytes and any room for 64-bit sizes; others also need a chunk
    /// "fact".
    func bytes(dataSize: Int?) -> [UInt8] {
        let isLarge = dataSize.map { $0 >= limit } ?? false
        // Sizes beyond 32 bits are left to "ds64", or to the end of the file.
        let size32 = isLarge ? nil : dataSize
        var chunks = Array("fmt ".utf8)
        chunks.append(littleEndian: UInt32(encoding == .int16 ? 16 : 18))
        chunks.append(littleEndian: UInt16(encoding == .int16 ? 1 : 3))
        chunks.append(littleEndian: UInt16(channels))
        chunks.append(littleEndian: UInt32(sampleRate))
        chunks.append(littleEndian: UInt32(sampleRate * bytesPerFrame))
        chunks.append(littleEndian: UInt16(bytesPerFrame))
        chunks.append(littleEndian: UInt16(bytesPerSample * 8))
        if encoding == .float32 {
            chunks.append(littleEndian: UInt16(0))
            chunks += Array("fact".utf8)
            chunks.append(littleEndian: UInt32(4))
            chunks.append(littleEndian: size32.map { UInt32($0 / bytesPerFrame) } ?? (isLarge ? .max : 0))
        }
        chunks += Array("data".utf8)
        chunks.append(littleEndian: size32.map(UInt32.init) ?? .max)
        let room = !canGrow ? [] : sizeChunk(dataSize: isLarge ? dataSize : nil, others: chunks.count)
        var bytes = Array((isLarge ? "RF64" : "RIFF").utf8)
        bytes.append(littleEndian: size32.map { UInt32($0 + chunks.count + room.count + 4) } ?? .max)
        return bytes + Array("WAVE".utf8) + room + chunks
    }

    /// The 64-bit sizes of RF64, or a placeholder of the same length.
    private func sizeChunk(dataSize: Int?, others: Int) -> [UInt8] {
        var bytes = Array((dataSize == nil ? "JUNK" : "ds64").utf8)
        bytes.append(littleEndian: UInt32(28))
        // The chunk itself is 36 bytes long.
        bytes.append(littleEndian: UInt64(dataSize.map { $0 + others + 36 + 4 } ?? 0))
        bytes.append(littleEndian: UInt64(dataSize ?? 0))
        bytes.append(littleEndian: UInt64(dataSize.map { $0 / bytesPerFrame } ?? 0))
        bytes.append(littleEndian: UInt32(0))
        return bytes
    }
}

extension [UInt8] {
    /// Appends a number, its least significant byte first.
    package mutating func append(littleEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }
}
