package import Foundation
import StenoCore

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

/// Completes the header of a recording whose program was killed.
package enum WAVRepair {
    /// Completes the header of a file that ``WAVWriter`` began (`updatingEvery`).
    ///
    /// It writes the actual size of the samples and cuts off an incomplete sample at the end. Complete files, and files
    /// by other programs, are left unchanged.
    ///
    /// - Returns: Whether the file was changed.
    /// - Throws: `StenoError`: `audioNotFound`, `outputFailed`.
    @discardableResult
    package static func repair(_ url: URL) throws -> Bool {
        guard let file = OwnedDescriptor.open(url.path, O_RDWR) else {
            throw SystemCallError(call: "open").explained("“\(url.relativePath)” could not be opened")
        }
        defer { file.close() }
        let descriptor = file.rawValue
        let header = WAVWriterHeader(
            encoding: .int16, sampleRate: AudioFile.sampleRate, channels: 1, canGrow: true,
            limit: WAVWriter.largestSize)
        let empty = header.bytes(dataSize: nil)
        var found = [UInt8](repeating: 0, count: empty.count)
        var status = stat()
        guard fstat(descriptor, &status) == 0,
            retrying({ pread(descriptor, &found, found.count, 0) }) == found.count,
            isOurs(found, empty)
        else { return false }
        let size = (Int(status.st_size) - empty.count) / header.bytesPerFrame * header.bytesPerFrame
        let complete = header.bytes(dataSize: size)
        guard found != complete || Int(status.st_size) != empty.count + size else { return false }
        guard retrying({ pwrite(descriptor, complete, complete.count, 0) }) == complete.count,
            ftruncate(descriptor, off_t(empty.count + size)) == 0
        else {
            let error = SystemCallError(call: "pwrite")
            throw StenoError(.outputFailed, "“\(url.relativePath)” cannot be repaired: \(error).", underlying: error)
        }
        return true
    }

    /// Whether the headers differ only in the sizes of the file, of the chunk "JUNK" or "ds64", and of "data".
    private static func isOurs(_ found: [UInt8], _ empty: [UInt8]) -> Bool {
        let format = 48..<(empty.count - 4)
        return ["RIFF", "RF64"].contains(WAVHeader.text(found[0..<4])) && found[8..<12] == empty[8..<12]
            && ["JUNK", "ds64"].contains(WAVHeader.text(found[12..<16])) && found[16..<20] == empty[16..<20]
            && found[format] == empty[format]
    }
}
