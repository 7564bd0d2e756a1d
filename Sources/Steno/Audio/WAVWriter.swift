package import Foundation

/// Writes a WAV file incrementally; the sizes in its header are completed at the end, or every few seconds.
///
/// Until then the header says "until the end of the file", so Steno can read what a crash leaves behind. Other programs
/// can too when the header is kept up to date (`updatingEvery`); such a file has room for the 64-bit sizes of RF64
/// (EBU Tech 3306) and becomes one when it reaches 4 GB, which is 37 hours of 16-bit audio at 16 kHz.
package final class WAVWriter {
    /// The encoding of the samples.
    package enum Encoding: Sendable {
        /// 16 bits: a sample is multiplied by 32,768, rounded and clipped.
        case int16
        /// 32-bit floating point.
        case float32
    }

    private let file: FileHandle
    private let name: String
    private let header: WAVWriterHeader
    /// The number of bytes between two updates of the header; nil updates it only at the end.
    private let updateSize: Int?
    private var dataSize = 0
    private var knownSize = 0
    private var isOpen = true

    /// Creates the file, or truncates an existing one.
    ///
    /// - Parameters:
    ///   - url: The location of the file.
    ///   - sampleRate: Frames per second.
    ///   - channels: Samples per frame.
    ///   - encoding: The encoding of the samples.
    ///   - seconds: The interval of audio at which the header is updated, for recordings that may be interrupted.
    /// - Throws: `StenoError.outputFailed` when it cannot be written.
    package convenience init(
        _ url: URL, sampleRate: Int = AudioFile.sampleRate, channels: Int = 1, encoding: Encoding = .int16,
        updatingEvery seconds: Double? = nil
    ) throws {
        try self.init(
            url, sampleRate: sampleRate, channels: channels, encoding: encoding, updatingEvery: seconds,
            limit: Int(UInt32.max) - 128)
    }

    init(
        _ url: URL, sampleRate: Int = AudioFile.sampleRate, channels: Int = 1, encoding: Encoding = .int16,
        updatingEvery seconds: Double?, limit: Int
    ) throws {
        name = "“\(url.relativePath)”"
        header = WAVWriterHeader(
            encoding: encoding, sampleRate: sampleRate, channels: channels, canGrow: seconds != nil, limit: limit)
        let bytesPerFrame = header.bytesPerFrame
        updateSize = seconds.map { Int(max(0, $0 * Double(sampleRate))) * bytesPerFrame }
        guard FileManager.default.createFile(atPath: url.path, contents: nil) else {
            throw StenoError(
                .outputFailed, "\(name) could not be created. Does its folder exist, and may you write there?")
        }
        do {
            file = try FileHandle(forWritingTo: url)
        } catch {
            throw StenoError(.outputFailed, "\(name) could not be opened for writing: \(error).", underlying: error)
        }
        try write(header.bytes(dataSize: nil))
    }

    deinit { try? close() }

    /// Appends samples from −1 to 1, channels interleaved; the count is a multiple of the number of channels.
    package func write(_ samples: some Collection<Float>) throws {
        precondition(isOpen, "the file is closed")
        precondition(samples.count % header.channels == 0, "whole frames only")
        var bytes: [UInt8] = []
        bytes.reserveCapacity(samples.count * header.bytesPerSample)
        switch header.encoding {
        case .int16:
            for sample in samples { bytes.append(littleEndian: UInt16(bitPattern: Self.int16(sample))) }
        case .float32:
            for sample in samples { bytes.append(littleEndian: sample.bitPattern) }
        }
        try write(bytes)
        dataSize += bytes.count
        guard let updateSize, dataSize - knownSize >= updateSize else { return }
        try updateHeader()
    }

    /// Completes the header and closes the file; a second call does nothing.
    package func close() throws {
        guard isOpen else { return }
        isOpen = false
        defer { try? file.close() }
        try updateHeader()
    }

    /// Rewrites the header and seeks back to the end.
    private func updateHeader() throws {
        // Past 4 GB a header without room for 64-bit sizes still says "until the end", which is correct.
        guard dataSize < header.limit || header.canGrow else { return }
        do {
            try file.seek(toOffset: 0)
            try file.write(contentsOf: header.bytes(dataSize: dataSize))
            try file.seekToEnd()
        } catch {
            throw StenoError(
                .outputFailed, "The header of \(name) could not be completed: \(error).", underlying: error)
        }
        knownSize = dataSize
    }

    private static func int16(_ sample: Float) -> Int16 {
        guard sample.isFinite else { return 0 }
        return Int16(min(32_767, max(-32_768, (sample * 32_768).rounded())))
    }

    private func write(_ bytes: [UInt8]) throws {
        do {
            try file.write(contentsOf: bytes)
        } catch {
            throw StenoError(.outputFailed, "\(name) could not be written: \(error).", underlying: error)
        }
    }
}
