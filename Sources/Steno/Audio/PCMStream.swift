import StenoCore

/// Mono samples at their original rate; becomes a `SampleSource` by resampling.
protocol NativeRateSource: AnyObject {
    /// Samples per second.
    var sampleRate: Int { get }

    /// Reads the next samples, blocking until there is at least one; returns 0 at the end.
    func read(into buffer: UnsafeMutableBufferPointer<Float>) throws -> Int

    /// Starts again from the first sample; false when the audio can be read only once.
    func rewind() throws -> Bool
}

/// Uncompressed audio, decoded as it is read; memory does not grow with the length.
final class PCMStream: NativeRateSource {
    private let bytes: ByteReader
    private let format: PCMFormat
    private let start: Int
    private let byteCount: Int?

    /// Bytes read but not decoded; between two reads, less than one frame at the start.
    private let pending: UnsafeMutableRawBufferPointer
    private var pendingCount = 0
    private var remaining: Int?

    /// Creates a stream of at most `byteCount` bytes of samples from the reader's position on.
    init(_ bytes: ByteReader, format: PCMFormat, byteCount: Int?) {
        self.bytes = bytes
        self.format = format
        self.byteCount = byteCount
        start = bytes.position
        remaining = byteCount
        pending = .allocate(byteCount: 1 << 16, alignment: 16)
        bytes.forgetPassed()
    }

    deinit { pending.deallocate() }

    var sampleRate: Int { format.sampleRate }

    /// The duration in seconds of the bytes that really exist; nil for a pipe.
    var duration: Double? {
        guard let size = bytes.size else { return nil }
        let there = min(byteCount ?? .max, size - start)
        return Double(there / format.bytesPerFrame) / Double(format.sampleRate)
    }

    func read(into buffer: UnsafeMutableBufferPointer<Float>) throws -> Int {
        guard !buffer.isEmpty else { return 0 }
        let frameBytes = format.bytesPerFrame
        try fill(upTo: min(buffer.count, pending.count / frameBytes) * frameBytes)
        let frames = format.decode(UnsafeRawBufferPointer(rebasing: pending[..<pendingCount]), into: buffer)
        let used = frames * frameBytes
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
        return true
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
