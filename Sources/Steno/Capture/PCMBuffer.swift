/// A piece of audio as a microphone, a decoder or a network hands it over: any rate, any number of channels.
///
/// On Apple platforms it is made of an `AVAudioPCMBuffer`, which ``AudioStreamConverter`` also takes as it is.
public struct PCMBuffer: Sendable, Hashable {
    /// The samples of all channels, interleaved: the first sample of every channel, then the second of every channel.
    public enum Samples: Sendable, Hashable {
        /// From −1 to 1.
        case float32([Float])
        /// From −32,768 to 32,767.
        case int16([Int16])
        /// The whole range of 32 bits.
        case int32([Int32])
    }

    /// The samples, interleaved: `frameCount` × `channels`.
    public let samples: Samples
    /// Frames per second, 1,000 to 768,000.
    public let sampleRate: Int
    /// Samples in a frame, 1 to 256.
    public let channels: Int
    /// When the first frame was heard, on whatever timeline the source has; nil: right after the buffer before.
    public let startTime: AudioTime?

    /// How many frames there are.
    public var frameCount: Int { samples.count / channels }
    /// How long the audio is.
    public var duration: AudioTime { AudioTime(samples: frameCount, rate: sampleRate) }

    /// Creates a buffer of samples that are interleaved already, or of one channel.
    ///
    /// - Throws: `StenoError.invalidOption` when the rate or the channel count is out of range, or when the samples
    ///   are no whole number of frames.
    public init(_ samples: Samples, sampleRate: Int, channels: Int = 1, startTime: AudioTime? = nil) throws {
        // The format knows the ranges.
        _ = try PCMFormat(samples.encoding, sampleRate: sampleRate, channels: channels)
        guard samples.count % channels == 0 else {
            throw StenoError(
                .invalidOption, "\(samples.count) samples are no whole number of frames of \(channels) channels.")
        }
        self.samples = samples
        self.sampleRate = sampleRate
        self.channels = channels
        self.startTime = startTime
    }

    /// Creates a buffer of `Float`, `Int16` or `Int32` samples, interleaved or of one channel.
    ///
    /// - Throws: `StenoError.invalidOption`, as `init(_:sampleRate:channels:startTime:)` with `Samples` does.
    public init<Sample: AudioSample>(
        _ interleaved: [Sample], sampleRate: Int, channels: Int = 1, startTime: AudioTime? = nil
    ) throws {
        try self.init(
            Sample.audioSamples(interleaved), sampleRate: sampleRate, channels: channels, startTime: startTime)
    }

    /// Creates a buffer of `Float`, `Int16` or `Int32` samples, channel after channel, all of one length.
    ///
    /// - Throws: `StenoError.invalidOption` when the lengths differ, or the rate or the channel count is out of
    ///   range.
    public init<Sample: AudioSample>(planar: [[Sample]], sampleRate: Int, startTime: AudioTime? = nil) throws {
        let frames = planar.first?.count ?? 0
        guard planar.allSatisfy({ $0.count == frames }) else {
            throw StenoError(
                .invalidOption, "The channels have \(planar.map(\.count)) samples; all need as many as the first.")
        }
        var interleaved: [Sample] = []
        interleaved.reserveCapacity(frames * planar.count)
        for frame in 0..<frames {
            for channel in planar { interleaved.append(channel[frame]) }
        }
        try self.init(interleaved, sampleRate: sampleRate, channels: planar.count, startTime: startTime)
    }

    /// Creates a buffer of bytes in a format; 8, 24 and 64 bits a sample become one channel of `Float`.
    ///
    /// - Throws: `StenoError.invalidOption` when the bytes are no whole number of frames.
    public init(bytes: [UInt8], format: PCMFormat, startTime: AudioTime? = nil) throws {
        let frames = bytes.count / format.bytesPerFrame
        guard frames * format.bytesPerFrame == bytes.count else {
            throw StenoError(
                .invalidOption,
                "\(bytes.count) bytes are no whole number of frames of \(format.bytesPerFrame) bytes.")
        }
        let mono = bytes.withUnsafeBytes { format.decode($0, frames: frames) }
        try self.init(mono, sampleRate: format.sampleRate, startTime: startTime)
    }
}

extension PCMBuffer {
    /// The mean over the channels, from −1 to 1, computed as for a file.
    var mono: [Float] {
        if case .float32(let samples) = samples, channels == 1 {
            return samples.map { $0.isFinite ? min(1, max(-1, $0)) : 0 }
        }
        return samples.withUnsafeBytes { bytes in
            // Rate and channels were checked when the buffer was made, and this machine is little-endian as all are.
            guard let format = try? PCMFormat(samples.encoding, sampleRate: sampleRate, channels: channels) else {
                return []
            }
            return format.decode(bytes, frames: frameCount)
        }
    }
}

extension PCMBuffer.Samples {
    var count: Int {
        switch self {
        case .float32(let samples): samples.count
        case .int16(let samples): samples.count
        case .int32(let samples): samples.count
        }
    }

    var encoding: PCMFormat.Encoding {
        switch self {
        case .float32: .float32
        case .int16: .int16
        case .int32: .int32
        }
    }

    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        switch self {
        case .float32(let samples): try samples.withUnsafeBytes(body)
        case .int16(let samples): try samples.withUnsafeBytes(body)
        case .int32(let samples): try samples.withUnsafeBytes(body)
        }
    }
}

extension PCMFormat {
    /// The mono samples of whole frames.
    fileprivate func decode(_ bytes: UnsafeRawBufferPointer, frames: Int) -> [Float] {
        [Float](unsafeUninitializedCapacity: frames) { buffer, count in count = decode(bytes, into: buffer) }
    }
}
