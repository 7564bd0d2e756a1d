import StenoCore

/// Mono samples at their original rate; becomes a `SampleSource` by resampling.
protocol NativeRateSource: AnyObject {
    /// Samples per second.
    var sampleRate: Int { get }

    /// Reads the next samples, blocking until there is at least one; returns 0 at the end.
    func read(into buffer: UnsafeMutableBufferPointer<Float>) throws -> Int

    /// Starts again from the first sample; false when the audio can be read only once.
    func rewind() throws -> Bool

    /// Problems in the audio read so far; complete at its end.
    var warnings: [TranscriptionWarning] { get }
}

extension NativeRateSource {
    var warnings: [TranscriptionWarning] { [] }
}

/// Uncompressed audio, decoded as it is read; memory does not grow with the length.
final class PCMStream: NativeRateSource {
    private let bytes: ByteReader
    private let format: PCMFormat
    private let start: Int
    private let byteCount: Int?
    private let isBigEndian: Bool
    private let channel: Int?

    /// Bytes read but not decoded; between two reads, less than one frame at the start.
    private let pending: UnsafeMutableRawBufferPointer
    private var pendingCount = 0
    private var remaining: Int?
    private var frameCount = 0
    private var hasEnded = false
    /// The number of samples that are not finite.
    private var damagedCount = 0

    /// Creates a stream of at most `byteCount` bytes of samples, from the reader's position.
    init(_ bytes: ByteReader, format: PCMFormat, byteCount: Int?, isBigEndian: Bool = false, channel: Int? = nil) {
        (self.bytes, self.format, self.byteCount) = (bytes, format, byteCount)
        (self.isBigEndian, self.channel) = (isBigEndian, channel)
        start = bytes.position
        remaining = byteCount
        pending = .allocate(byteCount: 1 << 16, alignment: 16)
        bytes.forgetPassed()
    }

    deinit { pending.deallocate() }

    var sampleRate: Int { format.sampleRate }

    /// The number of channels in the audio, including those that are not read.
    var channelCount: Int { format.channels }

    /// The duration in seconds of the bytes that are really there; nil for a pipe.
    var duration: Double? {
        guard let size = bytes.size else { return nil }
        let there = min(byteCount ?? .max, size - start)
        return Double(there / format.bytesPerFrame) / Double(format.sampleRate)
    }

    func read(into buffer: UnsafeMutableBufferPointer<Float>) throws -> Int {
        guard !buffer.isEmpty else { return 0 }
        let frameBytes = format.bytesPerFrame
        try fill(upTo: min(buffer.count, pending.count / frameBytes) * frameBytes)
        let frames = min(pendingCount / frameBytes, buffer.count)
        let used = frames * frameBytes
        let whole = UnsafeMutableRawBufferPointer(rebasing: pending[..<used])
        if isBigEndian { swap(whole) }
        damagedCount += format.decode(UnsafeRawBufferPointer(whole), into: buffer, channel: channel)
        frameCount += frames
        if frames == 0 { hasEnded = true }
        pendingCount -= used
        // An incomplete frame at the end is dropped.
        if frames > 0, pendingCount > 0 {
            pending.copyMemory(from: UnsafeRawBufferPointer(rebasing: pending[used..<(used + pendingCount)]))
        }
        return frames
    }

    func rewind() throws -> Bool {
        guard bytes.isSeekable else { return false }
        try bytes.seek(to: start)
        remaining = byteCount
        pendingCount = 0
        (frameCount, damagedCount, hasEnded) = (0, 0, false)
        return true
    }

    /// Empty until the end of the audio.
    var warnings: [TranscriptionWarning] {
        guard hasEnded else { return [] }
        var warnings: [TranscriptionWarning] = []
        if let byteCount, let remaining, remaining >= format.bytesPerFrame, byteCount < Self.endlessSize {
            warnings.append(
                .truncated(
                    bytes.name, seconds: seconds(frameCount), expected: seconds(byteCount / format.bytesPerFrame)))
        }
        if damagedCount > 0 {
            warnings.append(
                TranscriptionWarning(
                    .audioDamaged,
                    "\(bytes.name) has \(damagedCount) samples that are not finite numbers; they count as silence."))
        }
        return warnings
    }

    /// Writers to a pipe do not know the size, so they write one of about 2 GB or more.
    private static let endlessSize = 0x7FFF_0000

    private func seconds(_ frames: Int) -> Double { Double(frames) / Double(format.sampleRate) }

    /// Reverses the bytes of every sample.
    private func swap(_ samples: UnsafeMutableRawBufferPointer) {
        let size = format.encoding.bytesPerSample
        guard size > 1 else { return }
        for start in stride(from: 0, to: samples.count, by: size) {
            for index in 0..<(size / 2) { samples.swapAt(start + index, start + size - 1 - index) }
        }
    }

    /// Reads until at least one frame is complete or the end is reached, and never waits for more.
    private func fill(upTo limit: Int) throws {
        while pendingCount < format.bytesPerFrame {
            let wanted = min(limit - pendingCount, remaining ?? .max)
            let space = UnsafeMutableRawBufferPointer(rebasing: pending[pendingCount..<(pendingCount + wanted)])
            let count = try bytes.read(into: space)
            if count == 0 { return }
            pendingCount += count
            if let left = remaining { remaining = left - count }
        }
    }
}

extension TranscriptionWarning {
    /// The end of the audio is missing.
    ///
    /// - Parameters:
    ///   - seconds: The duration of the audio that is there.
    ///   - expected: The duration according to the header, if it is known.
    static func truncated(_ name: String, seconds: Double, expected: Double?) -> TranscriptionWarning {
        let rest = expected.map { " of the \(Hundredths.rounded($0)) s in its header" } ?? ""
        return TranscriptionWarning(
            .audioTruncated,
            "\(name) is cut off after \(Hundredths.rounded(seconds)) s\(rest). The end of the file is missing.")
    }
}
