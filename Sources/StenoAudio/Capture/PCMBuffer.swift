import StenoCore

/// A piece of audio as a microphone, a decoder or a network delivers it: any rate, any number of channels.
///
/// On Apple platforms it can be made from an `AVAudioPCMBuffer`.
package struct PCMBuffer: Sendable, Hashable {
    /// The samples of all channels, interleaved: the first sample of every channel, then the second of every channel.
    package enum Samples: Sendable, Hashable {
        /// From −1 to 1.
        case float32([Float])
        /// From −32,768 to 32,767.
        case int16([Int16])
        /// The full 32-bit range.
        case int32([Int32])
    }

    /// The samples, interleaved: `frameCount` × `channels`.
    package let samples: Samples
    /// Frames per second, 1,000 to 768,000.
    package let sampleRate: Int
    /// Samples per frame, 1 to 256.
    package let channels: Int
    /// The time of the first frame, on the timeline of the source; nil means right after the previous buffer.
    package let startTime: AudioTime?

    package var frameCount: Int { samples.count / channels }
    package var duration: AudioTime { AudioTime(samples: frameCount, rate: sampleRate) }

    /// Creates a buffer of interleaved samples, or of one channel.
    ///
    /// - Throws: `StenoError.invalidOption` when the rate or the channel count is out of range, or when the samples
    ///   are not a whole number of frames.
    package init(_ samples: Samples, sampleRate: Int, channels: Int = 1, startTime: AudioTime? = nil) throws {
        // `PCMFormat` checks the ranges.
        try PCMFormat(samples.encoding, sampleRate: sampleRate, channels: channels).checkWholeFrames(samples.count)
        (self.samples, self.sampleRate, self.channels, self.startTime) = (samples, sampleRate, channels, startTime)
    }

    /// Creates a buffer of `Float`, `Int16` or `Int32` samples, interleaved or of one channel; throws as the one above.
    package init<Sample: AudioSample>(
        _ interleaved: [Sample], sampleRate: Int, channels: Int = 1, startTime: AudioTime? = nil
    ) throws {
        try self.init(
            Sample.audioSamples(interleaved), sampleRate: sampleRate, channels: channels, startTime: startTime)
    }

    /// Creates a buffer of `Float`, `Int16` or `Int32` samples from one array per channel, all of the same length.
    ///
    /// - Throws: `StenoError.invalidOption` when the lengths differ, or the rate or the channel count is out of
    ///   range.
    package init<Sample: AudioSample>(planar: [[Sample]], sampleRate: Int, startTime: AudioTime? = nil) throws {
        let frames = planar.first?.count ?? 0
        try ensure(
            planar.allSatisfy({ $0.count == frames }), or: .invalidOption,
            "The channels have \(planar.map(\.count)) samples; they must all have the same number.")
        var interleaved: [Sample] = []
        interleaved.reserveCapacity(frames * planar.count)
        for frame in 0..<frames {
            for channel in planar { interleaved.append(channel[frame]) }
        }
        try self.init(interleaved, sampleRate: sampleRate, channels: planar.count, startTime: startTime)
    }

    /// Creates a buffer from bytes in a format, mixed to one channel of `Float`.
    ///
    /// - Throws: `StenoError.invalidOption` when the bytes are not a whole number of frames.
    package init(bytes: [UInt8], format: PCMFormat, startTime: AudioTime? = nil) throws {
        let frames = bytes.count / format.bytesPerFrame
        try ensure(
            frames * format.bytesPerFrame == bytes.count, or: .invalidOption,
            "\(bytes.count) bytes are not a whole number of frames of \(format.bytesPerFrame) bytes. Pass whole "
                + "frames.")
        let mono = bytes.withUnsafeBytes { format.decode($0, frames: frames) }
        try self.init(mono, sampleRate: format.sampleRate, startTime: startTime)
    }
}

/// The sample types of a ``PCMBuffer``: `Float`, `Int16` and `Int32`.
package protocol AudioSample: Sendable {
    static func audioSamples(_ interleaved: [Self]) -> PCMBuffer.Samples
}

extension Float: AudioSample {
    package static func audioSamples(_ interleaved: [Float]) -> PCMBuffer.Samples { .float32(interleaved) }
}

extension Int16: AudioSample {
    package static func audioSamples(_ interleaved: [Int16]) -> PCMBuffer.Samples { .int16(interleaved) }
}

extension Int32: AudioSample {
    package static func audioSamples(_ interleaved: [Int32]) -> PCMBuffer.Samples { .int32(interleaved) }
}

extension PCMBuffer {
    /// The mean of the channels, from −1 to 1, computed as for a file.
    var mono: [Float] {
        if case .float32(let samples) = samples, channels == 1 {
            return samples.map { $0.isFinite ? min(1, max(-1, $0)) : 0 }
        }
        return samples.withUnsafeBytes { bytes in
            // Rate and channels were checked by the initialiser, and every supported machine is little-endian.
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
    fileprivate func decode(_ bytes: UnsafeRawBufferPointer, frames: Int) -> [Float] {
        [Float](unsafeUninitializedCapacity: frames) { buffer, count in
            _ = decode(bytes, into: buffer)
            count = frames
        }
    }
}
