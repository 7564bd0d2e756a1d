package import Foundation
import StenoCore

/// Writes a WAV file incrementally; the sizes in its header are completed at the end, or every few seconds.
///
/// Until then the header says "until the end of the file", so Steno can read a file left by a crash. Other programs can
/// too when the header is kept up to date (`updatingEvery`); such a file has room for the 64-bit sizes of RF64 (EBU
/// Tech 3306) and becomes one when it reaches 4 GB, which is 37 hours of 16-bit audio at 16 kHz.
///
/// After a write that failed, the same samples can be written again when there is room.
package final class WAVWriter {
    package enum Encoding: Sendable {
        /// 16 bits: a sample is multiplied by 32,768, rounded and clipped.
        case int16
        /// 32-bit floating point.
        case float32
    }

    private let url: URL
    private let name: String
    private let isPrivate: Bool
    private let header: WAVWriterHeader
    private let headerSize: Int
    /// The number of bytes between two updates of the header; nil updates it only at the end.
    private let updateSize: Int?
    private var file: OwnedDescriptor
    private var dataSize = 0
    private var knownSize = 0
    private var isOpen = true

    /// - Parameters:
    ///   - seconds: The interval of audio at which the header is updated, for recordings that may be interrupted.
    ///   - overwriting: Whether an existing file is truncated; if not, it is an error.
    ///   - isPrivate: Whether only the owner may read a new file.
    /// - Throws: `StenoError.outputFailed` when it cannot be written.
    package convenience init(
        _ url: URL, sampleRate: Int = AudioFile.sampleRate, channels: Int = 1, encoding: Encoding = .int16,
        updatingEvery seconds: Double? = nil, overwriting: Bool = true, isPrivate: Bool = false
    ) throws {
        try self.init(
            url, sampleRate: sampleRate, channels: channels, encoding: encoding, updatingEvery: seconds,
            limit: Self.largestSize, overwriting: overwriting, isPrivate: isPrivate)
    }

    init(
        _ url: URL, sampleRate: Int = AudioFile.sampleRate, channels: Int = 1, encoding: Encoding = .int16,
        updatingEvery seconds: Double?, limit: Int, overwriting: Bool = true, isPrivate: Bool = false
    ) throws {
        (self.url, self.isPrivate) = (url, isPrivate)
        name = "“\(url.relativePath)”"
        header = WAVWriterHeader(
            encoding: encoding, sampleRate: sampleRate, channels: channels, canGrow: seconds != nil, limit: limit)
        let bytesPerFrame = header.bytesPerFrame
        updateSize = seconds.map { Int(max(0, $0 * Double(sampleRate))) * bytesPerFrame }
        let start = header.bytes(dataSize: nil)
        headerSize = start.count
        file = try Self.open(url, name, flags: overwriting ? O_TRUNC : O_EXCL, isPrivate)
        do {
            try write(start, at: 0)
        } catch {
            // Otherwise a second attempt would find a file that it must not overwrite.
            if !overwriting { unlink(url.path) }
            throw error
        }
    }

    /// The size of the samples, in bytes, from which 64-bit sizes are needed.
    static let largestSize = Int(UInt32.max) - 128

    deinit { try? close() }

    /// Appends samples from −1 to 1, channels interleaved; the count is a multiple of the number of channels.
    package func write(_ samples: some Collection<Float>) throws {
        precondition(isOpen, "the file is closed")
        precondition(samples.count % header.channels == 0, "whole frames only")
        var bytes: [UInt8] = []
        bytes.reserveCapacity(samples.count * header.bytesPerSample)
        switch header.encoding {
        case .int16:
            for sample in samples { bytes.append(littleEndian: sample.pcm16) }
        case .float32:
            for sample in samples { bytes.append(littleEndian: sample.bitPattern) }
        }
        try write(bytes, at: headerSize + dataSize)
        dataSize += bytes.count
        guard let updateSize, dataSize - knownSize >= updateSize else { return }
        // The samples are in the file, so this does not count as a failure; the next update tries again.
        try? updateHeader()
    }

    /// Completes the header and closes the file; a second call does nothing.
    package func close() throws {
        guard isOpen else { return }
        isOpen = false
        defer { file.close() }
        // The remains of a failed write are not part of the audio.
        _ = ftruncate(file.rawValue, off_t(headerSize + dataSize))
        try updateHeader()
    }

    /// Whether the file or its folder was removed.
    package var isRemoved: Bool {
        var status = stat()
        return isOpen && fstat(file.rawValue, &status) == 0 && status.st_nlink == 0
    }

    /// Recreates a removed file, with all samples so far.
    ///
    /// - Throws: `StenoError.outputFailed` if the folder no longer exists, or another file has taken the name.
    package func restore() throws {
        try updateHeader()
        let copy = try Self.open(url, name, flags: O_EXCL, isPrivate)
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var position = 0
        do {
            while true {
                let count = retrying { pread(file.rawValue, &buffer, buffer.count, off_t(position)) }
                guard count >= 0 else { throw failure(SystemCallError(call: "pread")) }
                if count == 0 { break }
                try write(buffer[..<count], at: position, to: copy)
                position += count
            }
        } catch {
            unlink(url.path)
            throw error
        }
        file = copy
    }

    // MARK: Files

    private static func open(
        _ url: URL, _ name: String, flags: Int32, _ isPrivate: Bool
    ) throws -> OwnedDescriptor {
        let mode = isPrivate ? 0o600 : 0o666
        guard let file = OwnedDescriptor.open(url.path, O_RDWR | O_CREAT | flags, mode: mode) else {
            let error = SystemCallError(call: "open")
            throw StenoError(.outputFailed, "\(name) cannot be created: \(error).", underlying: error)
        }
        return file
    }

    private func updateHeader() throws {
        // Past 4 GB a header without room for 64-bit sizes still says "until the end", which is correct.
        guard dataSize < header.limit || header.canGrow else { return }
        try write(header.bytes(dataSize: dataSize), at: 0)
        knownSize = dataSize
    }

    private func write(_ bytes: some Collection<UInt8>, at position: Int) throws {
        try write(bytes, at: position, to: file)
    }

    private func write(_ bytes: some Collection<UInt8>, at position: Int, to file: OwnedDescriptor) throws {
        do {
            try ContiguousArray(bytes).withUnsafeBytes { try file.write($0, at: position) }
        } catch {
            throw failure(error)
        }
    }

    private func failure(_ error: any Error) -> StenoError {
        StenoError(.outputFailed, "\(name) cannot be written: \(error).", underlying: error)
    }
}

extension WAVWriter {
    /// The header of a WAV file of 16-bit samples at 16 kHz, mono, for callers that write the samples themselves.
    package static func header(samples: Int) -> [UInt8] {
        WAVWriterHeader(
            encoding: .int16, sampleRate: AudioFile.sampleRate, channels: 1, canGrow: samples * 2 >= largestSize,
            limit: largestSize
        ).bytes(dataSize: samples * 2)
    }
}

extension Float {
    /// A sample from −1 to 1 as a 16-bit number.
    package var pcm16: Int16 {
        guard isFinite else { return 0 }
        return Int16(min(32_767, max(-32_768, (self * 32_768).rounded())))
    }
}
