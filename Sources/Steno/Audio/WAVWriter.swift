package import Foundation

/// Writes a WAV file as the samples come; the lengths in its header are put right at the end.
///
/// Until then the header says "until the end of the file", so what a crash leaves behind can be read.
package final class WAVWriter {
    /// How the samples are stored.
    package enum Encoding: Sendable {
        /// 16 bits: a sample is multiplied by 32,768, rounded and cut off at the ends of the range.
        case int16
        /// 32-bit floating point.
        case float32
    }

    private let file: FileHandle
    private let name: String
    private let encoding: Encoding
    private let sampleRate: Int
    private let channels: Int
    private var dataSize = 0
    private var isOpen = true

    /// Creates the file, or empties it when it is there.
    ///
    /// - Throws: `StenoError.outputFailed` when it cannot be written.
    package init(_ url: URL, sampleRate: Int = AudioFile.sampleRate, channels: Int = 1, encoding: Encoding = .int16)
        throws
    {
        name = "“\(url.relativePath)”"
        self.encoding = encoding
        self.sampleRate = sampleRate
        self.channels = channels
        guard FileManager.default.createFile(atPath: url.path, contents: nil) else {
            throw StenoError(
                .outputFailed, "\(name) could not be created. Does its folder exist, and may you write there?")
        }
        do {
            file = try FileHandle(forWritingTo: url)
        } catch {
            throw StenoError(.outputFailed, "\(name) could not be opened for writing: \(error).", underlying: error)
        }
        try write(header(dataSize: nil))
    }

    deinit { try? close() }

    /// Appends samples from −1 to 1, channels interleaved; the count is a multiple of the channels.
    package func write(_ samples: some Collection<Float>) throws {
        precondition(isOpen, "the file is closed")
        precondition(samples.count % channels == 0, "whole frames only")
        var bytes: [UInt8] = []
        bytes.reserveCapacity(samples.count * bytesPerSample)
        switch encoding {
        case .int16:
            for sample in samples { bytes.append(littleEndian: UInt16(bitPattern: Self.int16(sample))) }
        case .float32:
            for sample in samples { bytes.append(littleEndian: sample.bitPattern) }
        }
        try write(bytes)
        dataSize += bytes.count
    }

    /// Puts the lengths into the header and closes the file; a second call does nothing.
    package func close() throws {
        guard isOpen else { return }
        isOpen = false
        defer { try? file.close() }
        // Past 4 GB the header goes on saying "until the end", which is true.
        guard dataSize + 64 < UInt32.max else { return }
        do {
            try file.seek(toOffset: 0)
        } catch {
            throw StenoError(
                .outputFailed, "The header of \(name) could not be completed: \(error).", underlying: error)
        }
        try write(header(dataSize: dataSize))
    }

    private var bytesPerSample: Int { encoding == .int16 ? 2 : 4 }

    private static func int16(_ sample: Float) -> Int16 {
        guard sample.isFinite else { return 0 }
        return Int16(min(32_767, max(-32_768, (sample * 32_768).rounded())))
    }

    /// 44 bytes before 16-bit samples, the plainest header there is; other codecs need a chunk "fact" as well.
    private func header(dataSize: Int?) -> [UInt8] {
        let bytesPerFrame = bytesPerSample * channels
        var chunks = Array("WAVEfmt ".utf8)
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
            chunks.append(littleEndian: UInt32((dataSize ?? 0) / bytesPerFrame))
        }
        chunks += Array("data".utf8)
        chunks.append(littleEndian: dataSize.map(UInt32.init) ?? .max)
        var bytes = Array("RIFF".utf8)
        bytes.append(littleEndian: dataSize.map { UInt32($0 + chunks.count) } ?? .max)
        return bytes + chunks
    }

    private func write(_ bytes: [UInt8]) throws {
        do {
            try file.write(contentsOf: bytes)
        } catch {
            throw StenoError(.outputFailed, "\(name) could not be written: \(error).", underlying: error)
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(littleEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }
}
